import type { PlaywrightTestConfig } from '@playwright/test'
import config from './playwright.config.js'

/** The configuration for screenshots. It uses the same browser and servers. The pipeline does not take screenshots. */
const shots: PlaywrightTestConfig = {
  ...config,
  timeout: 120_000,
  reporter: [['list']],
  projects: [
    { name: 'screens', testMatch: 'shots.ts' },
    { name: 'console', testMatch: 'console-shots.ts' },
    { name: 'sheets', testMatch: 'sheets.ts', dependencies: ['screens'] },
  ],
}
export default shots

import type { PlaywrightTestConfig } from '@playwright/test'
import config from './playwright.config.js'

/** The configuration of the screenshots: the same browser and servers. They are not part of the pipeline. */
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

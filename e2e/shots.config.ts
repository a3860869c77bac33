import type { PlaywrightTestConfig } from '@playwright/test'
import config from './playwright.config.js'

/** Takes screenshots with the same browser and servers as the tests. The pipeline does not take screenshots. */
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

import type { PlaywrightTestConfig } from '@playwright/test'
import config from '../playwright.config.js'

/** Takes screenshots with the same browser and servers as the tests. The pipeline does not take screenshots. */
const shots: PlaywrightTestConfig = {
  ...config,
  outputDir: '../../test-results',
  timeout: 120_000,
  reporter: [['list']],
  projects: [
    { name: 'screens', testMatch: 'screens.ts' },
    { name: 'console', testMatch: 'console.ts' },
    { name: 'sheets', testMatch: 'sheets.ts', dependencies: ['screens'] },
  ],
}
export default shots

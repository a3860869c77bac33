import { defineConfig } from '@playwright/test'

/** Chromium refuses its own sandbox as root; the rest keeps it from talking to the outside. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const { CHROMIUM_PATH, REPORT_DIR } = process.env

/** Servers are not started here: each worker starts its own, on port 0, so that nothing is shared and nothing collides. */
export default defineConfig({
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  // A browser on a busy machine stumbles now and then; what passes only at the second try is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  workers: 2,
  fullyParallel: true,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  globalTimeout: 30 * 60_000,
  forbidOnly: Boolean(process.env['CI']),
  reporter: REPORT_DIR ? [['list'], ['json', { outputFile: `${REPORT_DIR}/e2e.json` }]] : [['list']],
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    actionTimeout: 10_000,
    launchOptions: { args: flags, ...(CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {}) },
  },
})

import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'

/** Chromium can't use its own sandbox as root. The other flags keep it from calling external services. */
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

/** This configuration starts no servers: each worker starts its own on port 0, so that nothing is shared. */
export default defineConfig({
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  workers: availableParallelism(),
  fullyParallel: true,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  globalTimeout: 30 * 60_000,
  forbidOnly: Boolean(process.env['CI']),
  reporter: REPORT_DIR ? [['list'], ['json', { outputFile: `${REPORT_DIR}/e2e.json` }]] : [['list']],
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    // Animations take CPU time without a GPU, and no test needs them.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording screenshots took a third of the CPU time of every test. The snapshots show the same screens.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: true, sources: false },
    screenshot: 'only-on-failure',
    actionTimeout: 10_000,
    launchOptions: { args: flags, ...(CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {}) },
  },
})

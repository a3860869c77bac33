import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'

/** When run as root, Chromium can't use its own sandbox. Most of the other flags prevent calls to external services. */
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

/** This configuration starts no servers. The fixtures start them on free ports, so parallel tests share nothing. */
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
    // Without a GPU, animations take CPU time, and no test needs them.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording screenshots would take a third of each test's CPU time, and the snapshots show the same screens.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: true, sources: false },
    screenshot: 'only-on-failure',
    actionTimeout: 10_000,
    launchOptions: { args: flags, ...(CHROMIUM_PATH ? { executablePath: CHROMIUM_PATH } : {}) },
  },
})

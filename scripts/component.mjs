/**
 * The component tests, in real browsers: all that are named, or all.
 *   node scripts/component.mjs [chromium] [firefox] [webkit] [options of web-test-runner]
 * A browser that this machine lacks and can't install is skipped and said so; under CI that is a failure.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { browsers, ensureBrowser } from './ensure-browser.mjs'
import { reportFile } from './tally.mjs'

const one = fileURLToPath(new URL('browsers/component.mjs', import.meta.url))
const args = process.argv.slice(2)
const named = browsers.filter(name => args.includes(name))
const options = args.filter(arg => !browsers.includes(arg))

let failed = false
for (const browser of named.length > 0 ? named : browsers) {
  try {
    ensureBrowser(browser)
  } catch (error) {
    console.log(`\nThe component tests in ${browser} were skipped: ${error.message}`)
    if (process.env.CI) failed = true
    const report = reportFile(`component-${browser}`)
    if (report) writeFileSync(report, JSON.stringify({ passed: 0, failed: 0, skipped: 1 }))
    continue
  }
  console.log(`\nThe component tests, in ${browser}`)
  const env = { ...process.env, BROWSER: browser }
  if (spawnSync(process.execPath, [one, ...options], { stdio: 'inherit', env }).status !== 0) failed = true
}
process.exitCode = failed ? 1 : 0

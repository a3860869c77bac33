/** Runs the same thing in one browser after another, each in a process of its own. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { browsers, ensureBrowser } from '../ensure-browser.mjs'
import { reportFile } from '../tally.mjs'

/**
 * In the browsers that the command line names, or in all. One that this machine lacks and can't install is skipped and
 * said so; under CI that is a failure.
 * @param name of the report @param what the runs are, for the person who looks on
 * @param command the arguments of Node; BROWSER and BROWSER_PATH are in the environment. What else is on the command line follows
 * @returns the exit code
 */
export function runLegs(name, what, command) {
  const args = process.argv.slice(2)
  const named = browsers.filter(browser => args.includes(browser))
  const options = args.filter(arg => !browsers.includes(arg))
  let code = 0
  for (const browser of named.length > 0 ? named : browsers) {
    const env = { ...process.env, BROWSER: browser }
    try {
      env.BROWSER_PATH = ensureBrowser(browser)
    } catch (error) {
      console.log(`\n${what} in ${browser}: skipped. ${error.message}`)
      if (process.env.CI) code = 1
      const report = reportFile(`${name}-${browser}`)
      if (report) writeFileSync(report, JSON.stringify({ passed: 0, failed: 0, skipped: 1 }))
      continue
    }
    console.log(`\n${what} in ${browser}`)
    if (spawnSync(process.execPath, [...command, ...options], { stdio: 'inherit', env }).status !== 0) code = 1
  }
  return code
}

/** Runs one command in several browsers, each in its own process. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { reportFile } from '../tally.mjs'
import { browsers, ensureBrowser } from './ensure-browser.mjs'

/**
 * Runs one process.
 * @param shared true if other processes run at the same time; this process's output is then printed only when it ends
 * @returns its exit code
 */
function run(title, args, env, shared) {
  if (!shared) console.log(`\n${title}`)
  const child = spawn(process.execPath, args, { env, stdio: shared ? ['ignore', 'pipe', 'pipe'] : 'inherit' })
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => said.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      if (shared) console.log(`\n${title}\n${Buffer.concat(said)}`)
      resolve(code ?? 1)
    })
  })
}

/**
 * Runs the command in the browsers given on the command line, or in all browsers, with one process per core. Skips a
 * browser that is missing and can't be installed, and prints a message. In CI, a missing browser is a failure.
 * @param name the name of the report
 * @param what a description of the runs, for the output
 * @param command the arguments for Node. BROWSER and BROWSER_PATH are set in the environment. The remaining
 *   command-line arguments are appended to the command
 * @returns the exit code
 */
export async function runLegs(name, what, command) {
  const args = process.argv.slice(2)
  const named = browsers.filter(browser => args.includes(browser))
  const options = args.filter(arg => !browsers.includes(arg))
  const waiting = []
  let code = 0
  // Install browsers one at a time, because a package manager allows only one installation at a time.
  for (const browser of named.length > 0 ? named : browsers)
    try {
      waiting.push({ browser, path: ensureBrowser(browser) })
    } catch (error) {
      console.log(`\n${what} in ${browser}: skipped. ${error.message}`)
      if (process.env.CI) code = 1
      const report = reportFile(`${name}-${browser}`)
      if (report) writeFileSync(report, JSON.stringify({ passed: 0, failed: 0, skipped: 1 }))
    }
  const lanes = Math.min(availableParallelism(), waiting.length)
  const lane = async () => {
    for (let leg = waiting.shift(); leg; leg = waiting.shift()) {
      const env = { ...process.env, BROWSER: leg.browser, BROWSER_PATH: leg.path }
      if ((await run(`${what} in ${leg.browser}`, [...command, ...options], env, lanes > 1)) !== 0) code = 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return code
}

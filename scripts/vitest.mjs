/** Runs vitest once, as a child, with the report that is counted beside the one that is read. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { reportFile } from './tally.mjs'

const bin = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/**
 * Whether every test passed. Without `env.TEST_DATABASE_URL` the api runs on SQLite, whatever the shell has set.
 * `quiet` keeps the output; `report` overrides where the counts go; after `within` milliseconds the run is ended, and failed.
 */
export function runVitest(name, args = [], env = {}, { quiet = false, report = reportFile(name), within } = {}) {
  const { TEST_DATABASE_URL: _, ...inherited } = process.env
  const reporters = quiet ? [] : ['--reporter=default']
  if (report) reporters.push('--reporter=json', `--outputFile.json=${report}`)
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, 'run', ...reporters, ...args], {
      env: { ...inherited, ...env },
      stdio: quiet ? 'ignore' : 'inherit',
      timeout: within,
    })
    child.on('error', reject)
    child.on('exit', code => resolve(code === 0))
  })
}

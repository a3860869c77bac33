/**
 * Runs Vitest once as a child process. Writes a JSON report, which is used to count tests, along with the readable
 * report.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { reportFile } from './tally.mjs'

const bin = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/**
 * Resolves to true if every test passed. Without `env.TEST_DATABASE_URL`, the API runs on SQLite, even if the shell's
 * environment sets that variable. A run that exceeds `within` milliseconds is stopped and counts as failed.
 */
export function runVitest(name, args = [], env = {}, { within } = {}) {
  const { TEST_DATABASE_URL: _, ...inherited } = process.env
  const report = reportFile(name)
  const reporters = ['--reporter=default', ...(report ? ['--reporter=json', `--outputFile.json=${report}`] : [])]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, 'run', ...reporters, ...args], {
      env: { ...inherited, ...env },
      stdio: 'inherit',
      timeout: within,
    })
    child.on('error', reject)
    child.on('exit', code => resolve(code === 0))
  })
}

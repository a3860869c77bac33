/** Runs a seed in a fresh process. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { folderOf } from './folder.mjs'

const script = fileURLToPath(new URL('seed.mjs', import.meta.url))
/** The time limit of a seed, in real ms. */
const LIMIT_MS = 900_000

/**
 * @param bundle the path of the bundled service
 * @param only limits the clients and faults; see `options.mjs`
 * @param options `signal` ends the process early
 * @returns the result of `seed.mjs`. A process that ends without one has a violation that says so
 */
export function runSeed(bundle, seed, only, { timeline = false, signal } = {}) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [script, bundle, String(seed), JSON.stringify(only)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...(timeline && { TIMELINE: '1' }) },
      timeout: LIMIT_MS,
      signal,
    })
    child.on('error', () => {})
    let output = ''
    let errors = ''
    child.stdout.on('data', part => {
      output += part
    })
    child.stderr.on('data', part => {
      errors += part
    })
    child.on('close', (code, signal) => {
      // A process that was ended early leaves its folder.
      rmSync(folderOf(child.pid), { recursive: true, force: true })
      if (code === 0) return resolve(JSON.parse(output))
      const why = signal ? `did not end within ${LIMIT_MS / 1_000} s` : `ended with ${code}: ${errors.slice(-2_000)}`
      resolve({ seed: String(seed), violations: [`The simulation ${why}`], hash: '-', timeline: [], faultCounts: {} })
    })
  })
}

/** Starts a sandbox for the docs tests, in a separate process and folder. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './pages.mjs'

/**
 * Parses the first line of a child process's output as JSON. Rejects with the error output if the process exits first.
 */
export const firstLine = child =>
  new Promise((resolve, reject) => {
    let complaint = ''
    child.stderr.on('data', chunk => {
      complaint += chunk
    })
    createInterface({ input: child.stdout }).once('line', line => resolve(JSON.parse(line)))
    child.once('exit', () => reject(new Error(complaint)))
  })

/**
 * @param command the command that starts the service
 * @returns the origins that the service prints, its secret key, and `stop()`
 */
export async function startService(command = 'node apps/api/dist/main/server.js') {
  const data = mkdtempSync(join(tmpdir(), 'guides-'))
  const ports = { PORT: '0', FRAME_PORT: '0', OPS_PORT: '0', DATABASE_URL: `file:${join(data, 'causeway.db')}` }
  const env = { ...process.env, ...ports }
  const child = spawn('bash', ['-c', `set -e; ${command}`], { cwd: root, env, detached: true })
  const stop = () => {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    rmSync(data, { recursive: true, force: true })
  }
  try {
    const { api_origin, frame_origin } = await firstLine(child)
    return { api_origin, frame_origin, key: readFileSync(join(data, 'bootstrap.key'), 'utf8').trim(), stop }
  } catch (error) {
    stop()
    throw error
  }
}

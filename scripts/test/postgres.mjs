/**
 * Provides PostgreSQL for a test run: the database in TEST_DATABASE_URL or, if it is not set, a temporary cluster. If
 * neither is available, returns the reason.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from './free-port.mjs'

const script = fileURLToPath(new URL('pg-throwaway.sh', import.meta.url))

/**
 * Returns `{ url, stop }`, or `{ missing }` with the reason as a sentence. With `durable`, a temporary cluster syncs to
 * disk, which measurements require.
 */
export async function usePostgres(options) {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop() {} }
  const { missing, ...postgres } = await startPostgres(options)
  return missing === undefined ? postgres : { missing: `TEST_DATABASE_URL is not set, and ${missing}` }
}

/**
 * Starts a temporary cluster. Returns `{ url, restart, stop }`, or `{ missing }` with the reason. The cluster also
 * stops if this process ends or is interrupted.
 */
export async function startPostgres({ durable = false } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'causeway-pg-'))
  const port = await freePort()
  const run = action =>
    spawnSync('bash', [script, action, dir, port], {
      encoding: 'utf8',
      env: { ...process.env, ...(durable ? { DURABLE: '1' } : {}) },
    })
  const started = run('start')
  if (started.status !== 0) {
    rmSync(dir, { recursive: true, force: true })
    const isAbsent = started.status === 3
    return {
      missing: isAbsent
        ? 'this machine has no PostgreSQL server binaries'
        : `one could not be started: ${started.stderr.trim()}`,
    }
  }
  let running = true
  const stop = () => {
    if (!running) return
    running = false
    run('stop')
  }
  process.once('exit', stop)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  /** Restarts the cluster without blocking this process. */
  const restart = () => promisify(execFile)('bash', [script, 'restart', dir, port])
  return { url: started.stdout.trim(), restart, stop }
}

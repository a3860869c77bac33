/**
 * Provides the PostgreSQL for a test run: the database in TEST_DATABASE_URL, or otherwise a temporary cluster. If
 * neither is available, returns the reason.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.mjs'

const script = fileURLToPath(new URL('pg-throwaway.sh', import.meta.url))

/**
 * Returns `{ url, stop }`, or `{ missing }` with the reason as a sentence. A cluster that this function started also
 * stops when this process ends or is interrupted. With `durable`, the cluster syncs to disk, which measurements
 * require.
 */
export async function usePostgres({ durable = false } = {}) {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop() {} }
  const dir = mkdtempSync(join(tmpdir(), 'causeway-pg-'))
  const port = await freePort()
  const started = spawnSync('bash', [script, 'start', dir, port], {
    encoding: 'utf8',
    env: { ...process.env, ...(durable ? { DURABLE: '1' } : {}) },
  })
  if (started.status !== 0) {
    rmSync(dir, { recursive: true, force: true })
    const why = started.status === 3 ? '' : `, and one could not be started: ${started.stderr.trim()}`
    return { missing: `TEST_DATABASE_URL is not set${why || ' and this machine has no PostgreSQL server binaries'}` }
  }
  let running = true
  const stop = () => {
    if (!running) return
    running = false
    spawnSync('bash', [script, 'stop', dir, port])
  }
  process.once('exit', stop)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  return { url: started.stdout.trim(), stop }
}

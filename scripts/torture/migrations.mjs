/** Kills processes while they create the tables of a new store. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lender } from './lender.mjs'
import { builtServer, environment, start } from './service.mjs'

const admin = fileURLToPath(new URL('../../apps/api/dist/main/admin.js', import.meta.url))
const preload = new URL('kill-at.mjs', import.meta.url).href
/** The time limit for one migration. The limit only protects against hangs. */
const MIGRATION_TIMEOUT_MS = 120_000

/** Runs a program on a store until it ends. @returns `{ code, signal, said }` */
const runs = (store, program, env) =>
  new Promise(resolve => {
    const options = {
      env: environment(store, { ...env, NODE_OPTIONS: `--import=${preload}` }),
      timeout: MIGRATION_TIMEOUT_MS,
    }
    execFile(process.execPath, program, options, (error, _out, said) =>
      resolve({ code: error ? error.code : 0, signal: error?.signal ?? null, said }),
    )
  })

/** Returns the number of statements that create the tables of a new store. */
async function countStatements(store, folder) {
  const file = join(folder, 'count')
  const { code, said } = await runs(store, [admin, 'migrate'], { COUNT_IN: file })
  if (code !== 0) throw new Error(`A migration exited with ${code}: ${said}`)
  await store.remove()
  return Number(readFileSync(file, 'utf8'))
}

export async function killedMigrations({ store, another, launch, rounds, expect }) {
  const isFile = store.engine === 'sqlite'
  /**
   * The program that performs the migration: the service at startup on SQLite, and the operator's command on
   * PostgreSQL.
   */
  const program = isFile ? [builtServer] : [admin, 'migrate']
  const folder = mkdtempSync(join(tmpdir(), 'causeway-kills-'))
  let kills = 0
  let slowest = 0
  try {
    const count = await countStatements(await another(), folder)
    await rounds(async () => {
      const fresh = await another()
      const at = 1 + Math.floor(Math.random() * count)
      const { signal, said } = await runs(fresh, program, { KILL_AT: String(at) })
      expect(signal === 'SIGKILL', `a process was not killed at statement ${at} of ${count}: ${said}`)
      const service = await start(fresh)
      slowest = Math.max(slowest, service.ms)
      expect((await lender(service).api('GET', '/entities')).status === 200, 'a new store does not work after a kill')
      kills += 1
      await service.stop()
      for (const error of service.errors) expect(false, `logged: ${error}`)
      await fresh.remove()
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  await launch()
  return `${kills} kills inside a migration: each store opened again within ${Math.round(slowest)} ms`
}

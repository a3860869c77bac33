/**
 * Kills processes while they create the tables of a new store, or upgrade the tables of a filled store from version
 * 0.1.0.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lender } from './lender.mjs'
import { builtServer, environment, start } from './service.mjs'

const admin = fileURLToPath(new URL('../../apps/api/dist/main/admin.js', import.meta.url))
const preload = new URL('kill-at.mjs', import.meta.url).href
const fixture = new URL('../../apps/api/src/testing/stores/0.1.0.jsonl', import.meta.url)
const [known, ...lines] = readFileSync(fixture, 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line))
/** The encryption key of the filled store. */
const key = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
/** The time limit for one migration, in ms. The limit only protects against hangs. */
const PATIENCE = 120_000

const literal = value =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

/** Returns the statements that create and fill a version 0.1.0 store. */
const filled = engine =>
  [
    'create table kysely_migration (name varchar(255) primary key, "timestamp" varchar(255) not null)',
    'create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null)',
    ...lines.flatMap(line => (line.engine === engine ? [line.statement] : [])),
    ...lines.flatMap(({ table, row }) => {
      if (!row) return []
      const columns = Object.keys(row).map(name => `"${name}"`)
      return [`insert into ${table} (${columns}) values (${Object.values(row).map(literal)})`]
    }),
  ].join(';\n')

/** Runs a program on a store until it ends. @returns `{ code, signal, said }` */
const runs = (store, program, env) =>
  new Promise(resolve => {
    const options = { env: environment(store, { ...env, NODE_OPTIONS: `--import=${preload}` }), timeout: PATIENCE }
    execFile(process.execPath, program, options, (error, _out, said) =>
      resolve({ code: error ? error.code : 0, signal: error?.signal ?? null, said }),
    )
  })

export async function killedMigrations({ store, another, launch, rounds, expect }) {
  const isFile = store.engine === 'sqlite'
  const migrate = [admin, 'migrate']
  /**
   * The program that performs the migration: the service at startup on SQLite, and the operator's command on
   * PostgreSQL.
   */
  const program = isFile ? [builtServer] : migrate
  const folder = mkdtempSync(join(tmpdir(), 'causeway-kills-'))
  const template = await another()
  /** Counts the statements in an entire migration. */
  async function statements(of, env) {
    const copy = await of()
    const file = join(folder, 'count')
    const { code, said } = await runs(copy, migrate, { ...env, COUNT_IN: file })
    if (code !== 0) throw new Error(`A migration exited with ${code}: ${said}`)
    await copy.remove()
    return Number(readFileSync(file, 'utf8'))
  }
  async function killed(on, env, count) {
    const at = 1 + Math.floor(Math.random() * count)
    const { signal, said } = await runs(on, program, { ...env, KILL_AT: String(at) })
    expect(signal === 'SIGKILL', `a process was not killed at statement ${at} of ${count}: ${said}`)
  }
  let kills = 0
  let slowest = 0
  try {
    await template.run(filled(store.engine))
    const counts = { fresh: await statements(another, {}), old: await statements(() => another(template), key) }
    await rounds(async () => {
      const fresh = await another()
      await killed(fresh, {}, counts.fresh)
      const first = await start(fresh)
      slowest = Math.max(slowest, first.ms)
      expect((await lender(first).api('GET', '/entities')).status === 200, 'a new store does not work after a kill')

      const old = await another(template)
      await killed(old, key, counts.old)
      if (!isFile) {
        const { code, said } = await runs(old, migrate, key)
        expect(code === 0, `the migration after a kill exited with ${code}: ${said}`)
      }
      const second = await start(old, key)
      slowest = Math.max(slowest, second.ms)
      const { status, json } = await lender(second, known.key).api('GET', `/payments/${known.payment}`)
      expect(
        status === 200 && json.amount === known.repeat.body.amount,
        `a request for a payment returned ${status} after a kill`,
      )
      kills += 2
      for (const service of [first, second]) {
        await service.stop()
        for (const error of service.errors) expect(false, `logged: ${error}`)
      }
      await Promise.all([fresh.remove(), old.remove()])
    })
  } finally {
    await template.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  await launch()
  return `${kills} kills inside a migration, half of them of a filled store of version 0.1.0: each store opened again within ${Math.round(slowest)} ms`
}

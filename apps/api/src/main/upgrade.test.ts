/**
 * Upgrades a store from version 0.1.0 with data from every part of that version: payments in several states, an unused
 * token, and an unfinished session. Each line of the fixture is either a SQL statement for one engine or a row.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { checkLedger } from '../money/ledger/check.js'
import { OPERATOR } from '../platform/audit/operator.js'
import { BUILD, migrate } from '../platform/db/migrate.js'
import { openSqlite } from '../platform/db/sqlite.js'
import { openStore, type Store } from '../platform/db/store.js'
import type { Tables } from '../platform/db/tables.js'
import { tablesIn } from '../platform/db/upgrade/upgrade.js'
import { emptyStore } from '../testing/empty-store.js'
import { Person } from '../testing/frame.js'
import { engine, testService } from '../testing/service.js'
import { readConfig } from './config.js'
import { operate } from './operator.js'

type Row = Record<string, unknown>
interface Known {
  key: string
  team: string
  now: number
  payment: string
  canceled: string
  repeat: { key: string; body: Row }
  report: string
  token: string
  bearer: string
  step: string
}

const path = fileURLToPath(new URL('../testing/stores/0.1.0.jsonl', import.meta.url))
const [known, ...lines] = readFileSync(path, 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line)) as [Known, ...({ engine: string; statement: string } | { table: string; row: Row })[]]
const rows = lines.filter(line => 'row' in line)
const statements = lines.flatMap(line => ('engine' in line && line.engine === engine ? [line.statement] : []))

let old: Awaited<ReturnType<typeof emptyStore>>
beforeEach(async () => {
  old = await emptyStore(async run => {
    await run('create table kysely_migration (name varchar(255) primary key, "timestamp" varchar(255) not null)')
    await run('create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null)')
    for (const statement of statements) await run(statement)
    for (const { table, row } of rows) {
      const names = Object.keys(row)
      const places = names.map((_, index) => (engine === 'postgres' ? `$${index + 1}` : '?'))
      const columns = names.map(name => `"${name}"`)
      await run(`insert into ${table} (${columns}) values (${places})`, Object.values(row))
    }
  })
})
afterEach(() => old.remove())

const config = () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-upgrade-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return readConfig({ DATABASE_URL: old.url, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }, folder)
}

/** Upgrades the store with the operator command. */
async function upgraded(): Promise<Store> {
  expect(await operate(config(), ['migrate'], known.now)).toEqual({ schema: BUILD, pending: [] })
  return openStore(old.url)
}

/** Columns that were added to a table and have a value in every row. */
const added: Record<string, Row> = { audit: { team_id: expect.any(String) } }
/** Columns changed by the migrations between the versions. The migrations' own tests check those changes. */
const changed: Record<string, readonly string[]> = {
  entities: ['phone_hash', 'match_times'],
  tokens: ['phone_proof_days'],
}

describe('a store from version 0.1.0', () => {
  it.runIf(engine === 'postgres')(
    'is left unchanged by the service, which says what to do (PostgreSQL only)',
    async () => {
      await expect(openStore(old.url)).rejects.toThrow(/version 0\.1\.0 created it.*pnpm admin migrate/)
      await expect(operate(config(), ['ledger', 'check'], known.now)).rejects.toThrow(
        /^The store can't be used: it does not have the tables of this version\. If .* make a backup\. Then run pnpm admin migrate\.$/,
      )
    },
  )

  it.runIf(engine === 'postgres')('is not upgraded while another connection uses it (PostgreSQL only)', async () => {
    const other = new pg.Client({ connectionString: old.url, application_name: 'somebody' })
    await other.connect()
    await expect(operate(config(), ['migrate'], known.now)).rejects.toThrow(
      /other connections are using the database \(1 of somebody\)/,
    )
    await other.end()
    await (await upgraded()).close()
  })

  it('keeps every row, with its team', async () => {
    const store = await upgraded()
    const tables = await tablesIn(store.reader, engine)
    expect(
      tables.filter(name => name.startsWith('old_') || name.startsWith('kysely') || name === 'code_sends'),
    ).toEqual([])
    const gone = ['kysely_migration', 'kysely_migration_lock', 'code_sends']
    for (const table of new Set(rows.map(line => line.table).filter(name => !gone.includes(name)))) {
      const before = rows.filter(line => line.table === table).map(line => line.row)
      const { rows: after } = await sql<Row>`select * from ${sql.table(table)}`.execute(store.reader)
      expect([table, after.length]).toEqual([table, before.length])
      const left = changed[table] ?? []
      for (const row of before) {
        const kept = Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name)))
        expect(after).toContainEqual(expect.objectContaining({ ...kept, ...added[table] }))
      }
      if (after.some(row => 'team_id' in row)) expect(after.every(row => row['team_id'])).toBe(true)
    }
    const events = await store.reader.selectFrom('events').select(['id', 'created_at']).execute()
    const at = new Map(events.map(row => [row.id, row.created_at]))
    const deliveries = await store.reader.selectFrom('deliveries').select(['event_id', 'event_at']).execute()
    expect(deliveries.every(row => at.get(row.event_id) === row.event_at)).toBe(true)
    const audited = await store.reader.selectFrom('audit').select('team_id').distinct().execute()
    expect(audited.map(row => row.team_id)).toEqual(expect.arrayContaining([known.team]))
    expect(audited.every(({ team_id }) => team_id === known.team || team_id === OPERATOR)).toBe(true)
    await store.close()
  })

  it('returns its payments, responses, events and people as before', async () => {
    const service = await testService({ filled: { ...known, url: old.url, store: await upgraded() } })
    const read = async (path: string) => (await service.call('GET', path)).body as Row
    expect(await read(`/payments/${known.payment}`)).toMatchObject({
      id: known.payment,
      amount: known.repeat.body['amount'],
    })
    expect(await read(`/payments/${known.canceled}`)).toMatchObject({ status: 'canceled' })
    const { key, body } = known.repeat
    const repeated = await service.call('POST', '/payments', body, { 'idempotency-key': key })
    expect([repeated.status, repeated.body['id'], repeated.headers.get('idempotency-replayed')]).toEqual([
      200,
      known.payment,
      'true',
    ])
    expect(await read(`/reports/${known.report}`)).toMatchObject({ status: 'completed' })
    expect((await service.call('GET', `/reports/${known.report}/download`)).text).toContain(known.payment)
    // This request also reads encrypted data.
    const { data } = (await service.call('GET', '/events?type=payment.create')).body as { data: Row[] }
    expect(data.map(event => event['id'])).not.toEqual([])
    expect(await checkLedger(service.deps)).toMatchObject({ ok: true, unanswered: 0 })
    const { used } = await service.store.reader
      .selectFrom('counters')
      .select(({ fn }) => fn.sum<number>('used').as('used'))
      .where('kind', 'like', 'payments %')
      .executeTakeFirstOrThrow()
    const month = new Date().toISOString().slice(0, 7) === new Date(known.now).toISOString().slice(0, 7)
    expect(Number(used) > 0).toBe(month)

    // Sessions in progress continue, and an unused token is still valid.
    const person = new Person(service, known.bearer, {} as never)
    expect((await person.look()).step).toBe(known.step)
    const other = await Person.arrive(service, known.token)
    expect(other.view.step).toBe('consent')
    await service.settle()
    await service.stop()
  })

  it.runIf(engine === 'sqlite')(
    'is unchanged if the upgrade is interrupted at any statement (SQLite only)',
    async () => {
      const contents = async (file: string) => {
        const db = new Kysely<Tables>({ dialect: openSqlite(file) })
        const tables = await tablesIn(db, 'sqlite')
        const counts = tables.map(table => sql<Row>`select count(*) as n from ${sql.table(table)}`.execute(db))
        const found = [tables, (await Promise.all(counts)).map(each => each.rows[0]!['n'])]
        await db.destroy()
        return found
      }
      /** Upgrades a copy until a statement fails. @returns the number of statements run, and the copy's contents */
      const stopped = async (stopAt: number) => {
        const copy = `${old.file}.${Math.min(stopAt, 1e9)}`
        copyFileSync(old.file!, copy)
        let count = 0
        const db = new Kysely<Tables>({
          dialect: openSqlite(copy, false),
          log() {
            count += 1
            if (count === stopAt) throw new Error('interrupted')
          },
        })
        const result = await migrate(db, 'sqlite', { upgrades: true }).catch(error => (error as Error).message)
        await db.destroy()
        return { count, result, left: await contents(copy) }
      }
      const whole = await stopped(Number.POSITIVE_INFINITY)
      expect(whole.result).toBeUndefined()
      const before = await contents(old.file!)
      for (const share of [0.01, 0.2, 0.4, 0.6, 0.8, 0.99]) {
        const { result, left } = await stopped(Math.ceil(whole.count * share))
        expect([result, left]).toEqual(['interrupted', before])
      }
    },
  )
})

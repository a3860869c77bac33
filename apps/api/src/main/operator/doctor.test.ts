// biome-ignore-all lint/style/noExcessiveLinesPerFile: it covers every check of the doctor command.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BUILD, findSchemaMismatch } from '../../platform/db/migrations/migrate.js'
import { backupStore } from '../../platform/db/sqlite/backup.js'
import type { Store } from '../../platform/db/store.js'
import { createLane } from '../../platform/jobs/lanes.js'
import { newJob } from '../../platform/jobs/statements.js'
import { PAYMENTS_STOPPED_SETTING } from '../../team/teams/store.js'
import { lender } from '../../testing/money.js'
import { engine, freshStore, testService } from '../../testing/service.js'
import type { Config } from '../config.js'
import { checkDeployment, formatFindings } from './doctor.js'
import { type CheckInput, checks } from './doctor-checks.js'

let env: NodeJS.ProcessEnv
const folder = mkdtempSync(join(tmpdir(), 'causeway-doctor-'))
const service = await testService()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  env = { DATABASE_URL: service.url, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
})

const look = async (more: NodeJS.ProcessEnv = {}, now = Date.now()) =>
  new Map((await checkDeployment({ ...env, ...more }, folder, now)).map(found => [found.name, found]))
const dataFolder = () => (engine === 'sqlite' ? join(service.file!, '..') : join(folder, 'data'))

/** Causes a fault, runs the checks, and undoes the fault. */
async function during<T>(
  break_: () => Promise<unknown>,
  fix: () => Promise<unknown>,
  look: () => Promise<T>,
): Promise<T> {
  await break_()
  try {
    return await look()
  } finally {
    await fix()
  }
}

it('finds no problem in a working store, and changes nothing', async () => {
  const before = await service.store.reader.selectFrom('settings').selectAll().orderBy('name').execute()
  const found = [...(await look()).values()]
  expect(found.filter(({ level }) => level === 'problem')).toEqual([])
  expect(found.length).toBeGreaterThan(12)
  expect(found.find(({ name }) => name === 'writes')).toMatchObject({ level: 'ok' })
  const lines = formatFindings(found).trimEnd().split('\n')
  expect(lines).toHaveLength(found.length)
  for (const line of lines) expect(line).toMatch(/^(ok|warning|problem) +[a-z]+/)
  const after = await service.store.reader.selectFrom('settings').selectAll().orderBy('name').execute()
  expect(after).toEqual(before)
})

describe('settings', () => {
  it('that cannot be read are the only finding', async () => {
    expect([...(await look({ PORT: 'x' })).values()]).toEqual([
      { name: 'settings', level: 'problem', message: 'PORT must be a port from 0 to 65535.' },
    ])
  })

  it('in a sandbox are checked against the production rules', async () => {
    const { message } = (await look()).get('production')!
    expect(message).toContain('Production would reject these settings: ENCRYPTION_KEY must be random')
  })

  it('create no key if there is none', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'causeway-doctor-'))
    const [found] = await checkDeployment({ DATABASE_URL: 'file:store.db' }, empty, Date.now())
    expect(found).toMatchObject({ name: 'settings', level: 'problem' })
    expect(found!.message).toContain(
      'encryption.key does not exist. Start the service once to create it, or set ENCRYPTION_KEY.',
    )
    rmSync(empty, { recursive: true })
  })

  it('for another store and another key are problems', async () => {
    const stranger = { ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') }
    expect((await look(stranger)).get('encryption key')).toMatchObject({ level: 'problem' })
    const nowhere = service.url.replace(/[^/]*$/, 'no_such_store')
    const found = await look({ DATABASE_URL: nowhere })
    expect([...found.keys()]).toEqual(['settings', 'store'])
    expect(found.get('store')).toMatchObject({ level: 'problem' })
    writeFileSync(join(folder, 'empty.db'), '')
    const empty = await look({ DATABASE_URL: 'file:empty.db' })
    expect([...empty.keys()]).toEqual(['settings', 'store'])
    expect(empty.get('store')!.message).toContain('the file is empty')
    expect(statSync(join(folder, 'empty.db')).size).toBe(0)
  })
})

describe('the store', () => {
  const message = async (state: { version?: number; min_build?: number }) => {
    const set = (to: object) => service.store.write(tx => tx.updateTable('schema_state').set(to).execute())
    const found = await during(
      () => set(state),
      () => set({ version: BUILD, min_build: 1 }),
      look,
    )
    return found.get('schema')
  }

  it("is a problem if this version can't use it, and a warning if a later version has added to it", async () => {
    const early = expect.stringContaining('its tables are at 1, and this version can upgrade only tables at')
    expect(await message({ version: 1 })).toMatchObject({ level: 'problem', message: early })
    const later = expect.stringContaining('Install a version with schema')
    expect(await message({ version: BUILD + 1, min_build: BUILD + 1 })).toMatchObject({
      level: 'problem',
      message: later,
    })
    expect(await message({ version: BUILD + 1 })).toMatchObject({ level: 'warning' })
  })

  // Applies only if the last migration removes something.
  const isContract = findSchemaMismatch({ version: BUILD - 1, min_build: 1 }) === null
  it.runIf(isContract)('is a warning while it still has what an earlier version needs', async () => {
    expect(await message({ version: BUILD - 1 })).toEqual({
      name: 'schema',
      level: 'warning',
      message: expect.stringMatching(/^The tables are at \d+, .* run pnpm admin migrate contract/),
    })
    expect((await look()).get('schema')).toMatchObject({ level: 'ok' })
  })

  it("is a problem if it lost a table; checks that don't need the table still run", async () => {
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(service.store.reader)
    const found = await during(
      () => rename('lanes', 'lanes_away'),
      () => rename('lanes_away', 'lanes'),
      look,
    )
    expect(found.get('schema')).toEqual({
      name: 'schema',
      level: 'problem',
      message:
        'The store lacks tables that the service uses: lanes. Restore a backup, as docs/operations.md describes.',
    })
    expect(found.get('webhooks')).toMatchObject({ level: 'problem', message: expect.stringContaining('could not run') })
    expect(found.get('jobs')).toMatchObject({ level: 'ok' })
    expect((await look()).get('schema')).toMatchObject({ level: 'ok' })
  })

  it('is a problem without limits behind a pooler, or with fewer connections than the pool', async () => {
    if (engine === 'sqlite') return expect((await look()).get('clock')).toMatchObject({ level: 'ok' })
    const given = (options: string) => look({ DATABASE_URL: `${service.url}?options=${encodeURIComponent(options)}` })
    const none = await given('-c search_path=public')
    expect([...none.keys()]).toEqual(['settings', 'store'])
    expect(none.get('store')!.message).toContain(
      'these limits are 0: lock_timeout, statement_timeout, idle_in_transaction_session_timeout.',
    )
    const limits = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']
    for (const dropped of limits) {
      const kept = limits.filter(limit => limit !== dropped)
      const some = await given(kept.map(limit => `-c ${limit}=5000`).join(' '))
      expect(some.get('store')!.message).toMatch(
        new RegExp(`these limits are 0: ${dropped}\\. .* alter role "\\S+" in database "\\S+" set ${dropped} = \\d+;$`),
      )
    }
    const big = await look({ DATABASE_POOL: '999' })
    expect(big.get('database')).toMatchObject({
      level: 'problem',
      message: expect.stringContaining('DATABASE_POOL is 999'),
    })
  })

  it.runIf(engine === 'postgres')('has a replica that responds and belongs to it (PostgreSQL only)', async () => {
    const replica = async (url: string) => (await look({ REPLICA_DATABASE_URL: url })).get('replica')
    expect((await look()).get('replica')).toMatchObject({ level: 'ok', message: expect.stringContaining('No replica') })
    expect(await replica(service.url)).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('is a primary'),
    })
    const nowhere = service.url.replace(/[^/]*$/, 'no_such_store')
    expect((await replica(nowhere))!.message).toMatch(
      /^The database at REPLICA_DATABASE_URL cannot be read \(.*3D000\)/,
    )
    const other = await freshStore()
    expect((await replica(other.url))!.message).toContain("points to another installation's database")
    await other.store.close()
    await other.remove()
  })
})

describe('waiting work', () => {
  const deps = { requestId: undefined }
  const job = newJob(
    { deps, team: { id: '' } },
    { kind: 'webhook.deliver', payload: {} },
    { id: 'job_doctor', now: 1, run_at: 1, lease: null },
  )
  const put = (state: 'ready' | 'dead') => () =>
    service.store.write(tx =>
      tx
        .insertInto('jobs')
        .values({ ...job, state })
        .execute(),
    )
  const remove = () => service.store.write(tx => tx.deleteFrom('jobs').where('id', '=', job.id).execute())

  it('dead jobs are a problem; a late job and a delivery that has waited for hours are warnings', async () => {
    const dead = await during(put('dead'), remove, look)
    expect(dead.get('jobs')).toMatchObject({
      level: 'problem',
      message: expect.stringContaining('1 of webhook.deliver'),
    })
    const late = await during(put('ready'), remove, look)
    expect(late.get('jobs')).toMatchObject({ level: 'warning', message: expect.stringContaining('days') })
    expect(late.get('webhooks')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('oldest pending delivery'),
    })
  })

  it('jobs that were created in the future are a problem', async () => {
    const at = Date.now() + 3_600_000
    const put = () =>
      service.store.write(tx =>
        tx
          .insertInto('jobs')
          .values({ ...job, created_at: at, run_at: at })
          .execute(),
      )
    const { level, message } = (await during(put, remove, look)).get('jobs')!
    expect(level).toBe('problem')
    expect(message).toMatch(/^1 jobs were created up to (59 minutes|1 hour) in the future, so they run late\./)
  })

  it('a paused endpoint is a warning', async () => {
    const paused = await during(
      () =>
        service.store.write(async tx => {
          await createLane({ db: tx, team: (await service.deps.teamOf(service.team))! }, 'https://example.com')
          await tx
            .updateTable('lanes')
            .set({ paused_until: 2 ** 45 })
            .execute()
        }),
      () => service.store.write(tx => tx.deleteFrom('lanes').execute()),
      look,
    )
    expect(paused.get('webhooks')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('1 paused, 0 failing'),
    })
  })

  it('stopped payments are a warning, for all teams or for one', async () => {
    const all = await during(
      () =>
        service.store.write(tx =>
          tx.insertInto('settings').values({ name: PAYMENTS_STOPPED_SETTING, value: 'now' }).execute(),
        ),
      () => service.store.write(tx => tx.deleteFrom('settings').where('name', '=', PAYMENTS_STOPPED_SETTING).execute()),
      look,
    )
    expect(all.get('payments')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('payments start all'),
    })
    const stop = (at: number | null) =>
      service.store.write(tx => tx.updateTable('teams').set({ payments_stopped_at: at }).execute())
    const team = await during(
      () => stop(1),
      () => stop(null),
      look,
    )
    expect(team.get('payments')).toMatchObject({ level: 'warning', message: expect.stringContaining(service.team) })
  })
})

const checkOf = (name: string, given: Partial<CheckInput>) =>
  checks.find(check => check.name === name)!.run(given as CheckInput)

describe('the clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const differing = (ms: number) =>
    checkOf('clock', { store: { engine: 'postgres', clock: () => Date.now() + ms } as Store })

  it("agrees with PostgreSQL's clock up to a difference of 2 seconds, either way", async () => {
    for (const ms of [0, 1_999, -1_999])
      expect(await differing(ms)).toEqual({
        level: 'ok',
        message: 'The clocks of this machine and PostgreSQL agree.',
      })
  })

  it('that differs by 2 seconds is a warning, and by 30 seconds a problem, either way', async () => {
    const message = (difference: string) =>
      `The clocks of this machine and PostgreSQL differ by ${difference}. Synchronize the clocks of both machines, for example with chrony.`
    for (const sign of [1, -1]) {
      expect(await differing(sign * 2_000)).toEqual({ level: 'warning', message: message('2 seconds') })
      expect(await differing(sign * 29_999)).toEqual({ level: 'warning', message: message('29 seconds') })
      expect(await differing(sign * 30_000)).toEqual({ level: 'problem', message: message('30 seconds') })
      expect(await differing(sign * 3_600_000)).toEqual({ level: 'problem', message: message('1 hour') })
    }
  })
})

it('a disk with less than 1 GB free is a warning, and with less than 100 MB a problem', async () => {
  const file = join(folder, 'store.db')
  writeFileSync(file, 'x')
  const MB = 1024 * 1024
  const withFree = (bytes: number) =>
    checkOf('disk', {
      store: { engine: 'sqlite' } as Store,
      config: { databaseUrl: `file:${file}` } as Config,
      free: asked => (asked === folder ? bytes : Number.NaN),
    })
  const message = (free: number, more: string) => `${free} MB are free, and the store uses 1 MB.${more}`
  expect(await withFree(1024 * MB)).toEqual({ level: 'ok', message: message(1024, '') })
  expect(await withFree(1024 * MB - 1)).toEqual({ level: 'warning', message: message(1023, ' Free up space.') })
  expect(await withFree(100 * MB)).toEqual({ level: 'warning', message: message(100, ' Free up space.') })
  expect(await withFree(100 * MB - 1)).toEqual({ level: 'problem', message: message(99, ' Free up space now.') })
})

it('reads the disk space of a working store', async () => {
  const { message } = (await look()).get('disk')!
  expect(message).toMatch(
    engine === 'sqlite' ? /^\d+ MB are free, and the store uses \d+ MB\./ : /^PostgreSQL stores the data/,
  )
})

it('a connector that does not respond is a problem', async () => {
  const found = await look({
    CONNECTOR_URL: 'http://127.0.0.1:9',
    CONNECTOR_KEY: Buffer.alloc(32, 9).toString('base64'),
  })
  expect(found.get('connector')).toMatchObject({
    level: 'problem',
    message: expect.stringContaining('Check CONNECTOR_URL'),
  })
})

it('no backup or an old backup is a warning, and one from today is fine', async () => {
  expect((await look()).get('backup')).toMatchObject({
    level: 'warning',
    message: expect.stringContaining('no backup'),
  })
  const file = join(dataFolder(), 'backups', 'one')
  mkdirSync(join(dataFolder(), 'backups'), { recursive: true })
  writeFileSync(file, '')
  const unusable = { level: 'problem', message: expect.stringContaining('cannot be used') }
  expect((await look()).get('backup')).toMatchObject(unusable)
  rmSync(file)
  if (engine === 'sqlite') backupStore(service.file!, file)
  else writeFileSync(file, 'PGDMP')
  expect((await look()).get('backup')).toMatchObject({ level: 'ok' })
  writeFileSync(`${file}.part`, 'an unfinished copy')
  expect((await look()).get('backup')).toMatchObject({ level: 'ok' })
  if (engine === 'sqlite') {
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, whole.length - 4_096))
    expect((await look()).get('backup')).toMatchObject(unusable)
    writeFileSync(file, whole)
  }
  const old = Date.now() / 1_000 - 2 * 86_400
  utimesSync(file, old, old)
  expect((await look()).get('backup')).toMatchObject({
    level: 'warning',
    message: expect.stringContaining('2 days old'),
  })
})

it('contradictory postings are a problem', async () => {
  const bank = lender(service)
  const source = (await bank.source()).id
  const destination = (await bank.debts()).accounts[0]!.id
  const payment = await bank.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  const row = { payment_id: payment.id, team_id: service.team, account: 'transit', amount: 1, created_at: 1 }
  await service.store.write(tx =>
    tx
      .insertInto('ledger')
      .values({ ...row, leg: 'stray' })
      .execute(),
  )
  const { level, message } = (await look({}, service.deps.clock())).get('ledger')!
  expect(level).toBe('problem')
  expect(message).toMatch(/^[12] faults in 1 payments .* Run: pnpm admin ledger check$/)
})

it('docs/operations.md lists every check', () => {
  const page = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8')
  const table = page.slice(page.indexOf('## Checking a deployment'), page.indexOf('## Following a request'))
  const named = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) => cell!.replaceAll('`', '').split(', '))
  expect(named.sort()).toEqual(['settings', 'store', ...checks.map(({ name }) => name)].sort())
})

/**
 * Follows the backup and restore section of docs/operations.md step by step, with a connector that records the money it
 * moved.
 */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noFaults } from '@causeway/connector/emulator/faults'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomText } from '../../platform/crypto/random.js'
import { openLiveStore } from '../../platform/db/store.js'
import { createExample } from '../../sandbox/connector.js'
import { connectorKeys } from '../../testing/connector/connector.js'
import { connectorKey } from '../../testing/connector/connector-process.js'
import { lender } from '../../testing/money.js'
import { engine, freshStore, type TestService } from '../../testing/service.js'
import { type Config, readConfig } from '../config.js'
import { run, type Service } from '../run.js'
import { runPostgresTool } from './drill.js'
import { operate } from './operator.js'

const page = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8')
const section = page.slice(
  page.indexOf('## Backup and restore'),
  page.indexOf('## Exporting and erasing personal data'),
)
const commands = [...section.matchAll(/^( *)```sh\n([\s\S]*?)^\1```/gm)].flatMap(([, , block = '']) =>
  block.split('\n').flatMap(line => line.trim() || []),
)
const ran = new Set<string>()

/** The amount that the rail moved for each payment, in cents. */
const moved = new Map<string, number>()
let hangsUp = false

const key = `sk_${'a'.repeat(24)}`
let folder: string
let connector: ReturnType<typeof createAdaptorServer>
let fresh: Awaited<ReturnType<typeof freshStore>>
let values: Record<string, string>
const services: Service[] = []

function configOf(): Config {
  const env = {
    PORT: '0',
    FRAME_PORT: '0',
    OPS_PORT: '0',
    DATABASE_URL: values['DATABASE_URL'],
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    BOOTSTRAP_SECRET_KEY: key,
    CONNECTOR_URL: `http://127.0.0.1:${(connector.address() as AddressInfo).port}`,
    CONNECTOR_KEY: connectorKey,
  }
  return readConfig(env, folder)
}

/** Runs a command exactly as it appears in docs/operations.md. */
async function command(line: string): Promise<Record<string, unknown>> {
  expect(commands).toContain(line)
  ran.add(line)
  const [program = '', ...args] = line
    .split(' ')
    .map(word => word.replace(/\$([A-Z_]+)/, (_, name: string) => values[name] ?? `no ${name}`))
  if (program !== 'pnpm') return runPostgresTool(program, args).then(() => ({}))
  return (await operate(configOf(), args.slice(1), Date.now())) as Record<string, unknown>
}

async function start() {
  const service = await run(
    configOf(),
    () => {},
    () => {},
  )
  services.push(service)
  return lender({
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(`${service.origins.api_origin}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          connection: 'close',
          ...headers,
          authorization: `Bearer ${key}`,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, text, body: JSON.parse(text), headers: response.headers }
    },
    settle: async () => {},
  } as unknown as TestService)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-drill-'))
  fresh = await freshStore()
  await fresh.store.close()
  values = { BACKUP: join(folder, 'data', 'backups', 'one'), LIST: join(folder, 'list') }
  mkdirSync(join(folder, 'data', 'backups'), { recursive: true })
  values['DATABASE_URL'] = engine === 'sqlite' ? `file:${join(folder, 'data', 'store.db')}` : fresh.url
  const example = createExample({
    keys: connectorKeys,
    clock: Date.now,
    id: () => randomText(20),
    sleep: async () => {},
    wait: async () => {},
    faults: noFaults,
    seed: 'drill',
  })
  connector = createAdaptorServer({
    async fetch(request, env) {
      if (new URL(request.url).pathname === '/rail/submit') {
        if (hangsUp) {
          ;(env as HttpBindings).outgoing.destroy()
          return new Promise<Response>(() => {})
        }
        const { request_id, question } = (await request.clone().json()) as {
          request_id: string
          question: { amount: number }
        }
        moved.set(request_id, question.amount)
      }
      return (await example.answer(request)) as Response
    },
  })
  connector.listen(0, '127.0.0.1')
  await once(connector, 'listening')
})
afterAll(async () => {
  for (const service of services) await service.stop()
  connector.close()
  await fresh.remove()
  if (engine === 'postgres') await dropRestored()
  rmSync(folder, { recursive: true, force: true })
})

async function dropRestored(): Promise<void> {
  const admin = await openLiveStore(process.env['TEST_DATABASE_URL']!, { pool: 2 })
  await sql`drop database if exists ${sql.ref(values['DATABASE'] ?? 'none')} with (force)`.execute(admin.reader)
  await admin.close()
}

/** Returns the databases and folders that a drill left behind. */
async function leftovers(): Promise<string[]> {
  const folders = readdirSync(join(folder, 'data')).filter(name => name.startsWith('drill-'))
  if (engine === 'sqlite') return folders
  const store = await openLiveStore(values['DATABASE_URL']!, { pool: 2 })
  const found = await sql<{ datname: string }>`select datname from pg_database where datname like 'causeway_drill%'`
    .execute(store.reader)
    .finally(() => store.close())
  return [...folders, ...found.rows.map(row => row.datname)]
}

/** Makes waiting submissions due immediately. */
async function hurry(): Promise<void> {
  const store = await openLiveStore(values['DATABASE_URL']!, { pool: 2 })
  await store
    .write(tx => tx.updateTable('jobs').set({ run_at: 1 }).where('kind', '=', 'payment.submit').execute())
    .finally(() => store.close())
}

it('pays nothing twice after a backup is restored', { timeout: 300_000 }, async () => {
  const within = { timeout: 60_000 }
  const bank = await start()
  const source = (await bank.source()).id
  const destination = (await bank.debts()).accounts[0]!.id
  const pay = (who: typeof bank, amount: number) =>
    who.call(
      'POST',
      '/payments',
      { amount, source, destination, description: 'x' },
      { 'idempotency-key': `k${amount}` },
    )

  // The first payment is created and submitted before the backup. The second is created before the backup but submitted
  // after it. The last two are created after it.
  const first = (await pay(bank, 1_000)).body.id
  await expect.poll(() => [...moved.keys()], within).toEqual([first])
  hangsUp = true
  const second = (await pay(bank, 2_000)).body.id
  await command(
    engine === 'sqlite' ? 'pnpm admin backup $BACKUP' : 'pg_dump --format=custom --file=$BACKUP.part $DATABASE_URL',
  )
  if (engine === 'postgres') await command('mv $BACKUP.part $BACKUP')
  hangsUp = false
  const third = (await pay(bank, 3_000)).body.id
  const fourth = (await pay(bank, 4_000)).body.id
  await expect.poll(() => new Set(moved.keys()), within).toEqual(new Set([first, second, third, fourth]))

  const drill = await command('pnpm admin drill restore')
  expect(drill).toMatchObject({ ok: true, backup: values['BACKUP'], ledger: { payments: 2, faulty: 0 } })
  expect(drill['rpo_seconds']).toBeGreaterThan(0)
  expect(drill['rto_seconds']).toBeGreaterThan(0)
  expect(await leftovers()).toEqual([])

  await services.pop()!.stop()
  if (engine === 'sqlite') await command('pnpm admin restore $BACKUP')
  else {
    const url = new URL(values['DATABASE_URL']!)
    values['SERVER'] = url.toString()
    values['DATABASE'] = `restored_${randomText(12).toLowerCase()}`
    values['DATABASE_URL'] = Object.assign(url, { pathname: `/${values['DATABASE']}` }).toString()
    await command('createdb --maintenance-db=$SERVER $DATABASE')
    await command('pg_restore --no-owner --exit-on-error --dbname=$DATABASE_URL $BACKUP')
  }
  await command('pnpm admin payments stop all')
  const restored = await start()
  expect((await pay(restored, 3_000)).body.error).toMatchObject({ sub_type: 'PAYMENTS_STOPPED' })
  expect((await restored.call('GET', `/payments/${third}`)).status).toBe(404)
  expect(await command('pnpm admin ledger check')).toMatchObject({ ok: true, payments: 2 })
  // The rail may have received the last two payments in either order. This list is in creation order.
  const list = [first, second, third, fourth].map(id => `${id},${moved.get(id)}`)
  writeFileSync(values['LIST']!, list.join('\n'))
  const compared = await command('pnpm admin payments reconcile $LIST')
  expect(compared).toEqual({ ok: false, listed: 4, known: 2, lost: [third, fourth] })

  // The rail has not sent the third payment yet, so the test cancels it at the rail and repeats its request. The rail
  // has already sent the fourth payment.
  moved.delete(third)
  values['TEAM'] = ((await restored.must('GET', '/team')) as { id: string }).id
  await command('pnpm admin payments stop $TEAM')
  await command('pnpm admin payments start all')
  expect((await pay(restored, 3_000)).body.error).toMatchObject({ sub_type: 'PAYMENTS_STOPPED' })
  await command('pnpm admin payments start $TEAM')
  // Processes detect the change within two seconds.
  await expect.poll(async () => (await pay(restored, 3_000)).status, within).toBe(200)
  const repeated = (await pay(restored, 3_000)).body.id
  expect((await pay(restored, 2_000)).body.id).toBe(second)
  expect((await pay(restored, 1_000)).body.id).toBe(first)
  await hurry()
  await expect
    .poll(async () => (await restored.must('GET', `/payments/${second}`))['fund_status'], within)
    .toBe('pending')
  await expect.poll(() => moved.has(repeated), within).toBe(true)
  expect(new Set(moved)).toEqual(
    new Set([
      [first, 1_000],
      [second, 2_000],
      [repeated, 3_000],
      [fourth, 4_000],
    ]),
  )
  const other = engine === 'sqlite' ? /^(createdb|pg_|mv )/ : /^pnpm admin (backup|restore) /
  const base = /^pg_basebackup /
  expect(commands.filter(line => !ran.has(line) && !other.test(line) && !base.test(line))).toEqual([])
})

it('a drill with a missing or broken backup says so and leaves nothing behind', async () => {
  const drill = (file: string) => operate(configOf(), ['drill', 'restore', file], Date.now())
  const empty = join(folder, 'empty')
  await expect(drill(empty)).rejects.toThrow(`There is no backup in ${empty}`)
  const broken = join(folder, 'broken')
  writeFileSync(broken, 'nothing')
  await expect(drill(broken)).rejects.toThrow(engine === 'sqlite' ? 'must be a complete backup' : 'pg_restore failed')
  expect(await leftovers()).toEqual([])
})

it('a missing program is reported, with installation instructions', async () => {
  await expect(runPostgresTool('pg_no_such_program', [])).rejects.toThrow('pg_no_such_program was not found on PATH')
})

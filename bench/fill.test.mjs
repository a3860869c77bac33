import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../packages/contract/dist/time.js'
import { usePostgres } from '../scripts/test/postgres.mjs'
import { broken } from '../scripts/torture/invariants.mjs'
import { lender } from '../scripts/torture/lender.mjs'
import { environment, masterKey, secretKey, start } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'
import { fill } from './fill.mjs'

const run = promisify(execFile)
const pathOf = name => fileURLToPath(new URL(name, import.meta.url))
const PAYMENT_COUNT = 1_000

const postgres = await usePostgres()
afterAll(() => postgres.stop?.())
const engines = [['sqlite'], ...(postgres.url ? [['postgres']] : [])]

const indexes = {
  sqlite: "select name, sql from sqlite_master where type = 'index' order by name",
  postgres: "select indexname as name, indexdef as sql from pg_indexes where schemaname = 'public' order by indexname",
}

/**
 * The planner's statistics. A new SQLite store contains some statistics. PostgreSQL must have none for the filled
 * tables.
 */
const statistics = {
  sqlite: 'select tbl, idx, stat from sqlite_stat1 order by tbl, idx',
  postgres: "select tablename from pg_stats where tablename in ('accounts', 'entities', 'records') order by tablename",
}

/** Returns every item in a list, across all pages. */
async function everything(customer, path) {
  const found = []
  for (let from = ''; ; ) {
    const { json, headers } = await customer.api('GET', `${path}?page_limit=100${from}`)
    found.push(...json.data)
    const next = headers['pagination-page-cursor-next']
    if (!next) return found
    from = `&page_cursor=${next}`
  }
}

async function withStore(engine, work) {
  const store = await createStore(engine, postgres.url)
  try {
    await work(store)
  } finally {
    await store.remove()
  }
}

describe('a filled database', () => {
  it.skipIf(postgres.url !== undefined)(`is tested on SQLite only: ${postgres.missing}`, () => {})

  it.each(engines)('is one that the service could have written, on %s', { timeout: 900_000 }, engine =>
    withStore(engine, async store => {
      // The service migrates the store and creates its team, as it does for an operator.
      const before = await start(store)
      await before.stop()
      const structure = await store.query(indexes[engine])
      const sizes = ['--payments', String(PAYMENT_COUNT), '--accounts', '20', '--events', '10', '--teams', '2']
      await run(process.execPath, [pathOf('fill.mjs'), '--database-url', store.url, ...sizes], {
        env: environment(store),
      })
      expect(await store.query(indexes[engine])).toEqual(structure)
      expect(await broken(store)).toEqual([])

      const admin = pathOf('../apps/api/dist/main/admin.js')
      const checked = await run(process.execPath, [admin, 'ledger', 'check'], { env: environment(store) })
      const ledger = JSON.parse(checked.stdout)
      expect(ledger).toMatchObject({ ok: true, payments: PAYMENT_COUNT, unanswered: 0, faulty: 0 })
      expect(ledger.asked).toBeGreaterThan(PAYMENT_COUNT / 10)

      const service = await start(store)
      try {
        const customer = lender(service)
        const payments = await everything(customer, '/payments')
        expect(new Set(payments.map(({ id }) => id)).size).toBe(PAYMENT_COUNT)
        const statuses = new Set(payments.map(({ status }) => status))
        for (const status of ['posted', 'settled', 'canceled', 'failed', 'reversal_required', 'partially_reversed'])
          expect(statuses).toContain(status)
        const times = payments.map(({ created_at }) => Date.parse(created_at))
        expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(170 * DAY_MS)
        expect(new Set(payments.map(({ destination }) => destination)).size).toBe(20)
        const traces = payments.map(each => each.source_trace_id).filter(Boolean)
        expect(new Set(traces).size).toBe(traces.length)

        for (const payment of payments.filter((_, index) => index % 97 === 0)) {
          const { fund_status: _, ...shown } = await customer.must('GET', `/payments/${payment.id}`)
          expect(shown).toEqual(payment)
          const { data } = await customer.must('GET', `/events?resource_id=${payment.id}`)
          const created = data.find(({ type }) => type === 'payment.create')
          expect(created.data).toMatchObject({ id: payment.id, created_at: payment.created_at, status: 'pending' })
          const account = await customer.must('GET', `/accounts/${payment.destination}?expand[]=balance`)
          expect(account.balance.status).toBe('completed')
        }
        const [{ key, id }] = await store.query(
          'select k.key, p.id from idempotency k join payments p on p.idempotency_key = k.key order by p.id limit 1',
        )
        const again = await customer.api('POST', '/payments', {}, { 'idempotency-key': key })
        expect(again.headers['idempotency-replayed']).toBe('true')
        expect(again.json.id).toBe(id)
      } finally {
        await service.stop()
      }
      expect(service.errors).toEqual([])
    }),
  )

  it.each(engines)('has only its own statistics if it is not analyzed, on %s', { timeout: 300_000 }, engine =>
    withStore(engine, async store => {
      await (await start(store)).stop()
      const before = await store.query(statistics[engine])
      const given = { url: store.url, key: secretKey, masterKey }
      await fill(given, { entities: 400 }, { analyze: false })
      expect(await store.query(statistics[engine])).toEqual(before)
    }),
  )
})

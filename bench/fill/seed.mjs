/**
 * Creates the loader's template: one person and a few hundred payments. The service itself creates them, with its clock
 * set to the past.
 */
import { randomUUID } from 'node:crypto'
import { noAssets } from '../../apps/api/dist/flow/frame/assets.js'
import { createApp } from '../../apps/api/dist/main/app.js'
import { checkStore, createFirstTeam, loadKeys } from '../../apps/api/dist/main/boot.js'
import { settlementDates } from '../../apps/api/dist/money/payments/payment-hold.js'
import { createCapabilities } from '../../apps/api/dist/network/capabilities/capabilities.js'
import { routeAll } from '../../apps/api/dist/network/providers/routing.js'
import { createProviderUsage } from '../../apps/api/dist/network/providers/usage.js'
import { defaultCodeLimits } from '../../apps/api/dist/people/entities/methods/sms/codes.js'
import { createVault } from '../../apps/api/dist/platform/crypto/vault.js'
import { openStore } from '../../apps/api/dist/platform/db/store.js'
import { createMetrics } from '../../apps/api/dist/platform/metrics.js'
import { createOutbound } from '../../apps/api/dist/platform/outbound/outbound.js'
import { createSandbox } from '../../apps/api/dist/sandbox/sandbox.js'
import { achNumbers, achRouting } from '../../apps/api/dist/sandbox/tables/inputs.js'
import { people } from '../../apps/api/dist/sandbox/tables/people.js'
import { windowOn } from '../../apps/api/dist/sandbox/timetable.js'
import { findKey } from '../../apps/api/dist/team/teams/keys.js'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../packages/contract/dist/time.js'

/** The maximum delay between a payment and its copies, in ms. See {@link isSteady}. */
export const COPY_WINDOW_MS = 30 * MINUTE_MS
const MAX_LIVE_PAYMENTS = 300
/**
 * The number of copies to make of each payment created through the API, if the requested number of payments allows it.
 */
const COPIES_PER_PAYMENT = 20

/** A person with four accounts, all of which can be paid. */
const debtor = people.find(person => person.debts.length === 4 && person.asks.length === 0)

/**
 * Payment scenarios, as percentages of all payments. `number` is the source account's number. `settle` and `approve`
 * are actions that the customer takes days later, if the payment gets that far.
 */
const lives = [
  { share: 62 },
  { share: 12, fee: true },
  { share: 8, settle: true },
  { share: 4, cancel: true },
  { share: 6, number: '1000000005' },
  { share: 2, number: '1000000004' },
  { share: 1, number: '1000000011' },
  { share: 2, number: '1000000008' },
  { share: 2, number: '1000000014', approve: true },
  { share: 1, number: '1000000016' },
]
const cycle = lives.flatMap(life => Array(life.share).fill(life))

/** Returns a mix of scenarios for `count` payments that matches the percentages above as closely as `count` allows. */
function deal(count) {
  // 37 and 100 have no common divisor, so any hundred consecutive payments contain each scenario in its correct
  // proportion.
  return Array.from({ length: count }, (_, index) => cycle[(index * 37) % cycle.length])
}

/** Returns a random routing number with a valid check digit, for an account that a failed payment disables. */
function someRouting() {
  const digits = [0, 6, 2, ...Array.from({ length: 5 }, () => Math.floor(Math.random() * 10))]
  const sum = digits.reduce((total, digit, index) => total + digit * [3, 7, 1][index % 3], 0)
  return [...digits, (10 - (sum % 10)) % 10].join('')
}

/** True if a payment created up to {@link COPY_WINDOW_MS} later would have the same dates and the same rail window. */
function isSteady(at) {
  const [first, last] = [at, at + COPY_WINDOW_MS].map(time => {
    const dates = settlementDates(time)
    return JSON.stringify([dates, windowOn(dates.source_settlement_date, time)])
  })
  return first === last
}

/**
 * Runs the service on the store from `begin` to `end` (both in epoch ms) and creates `payments / 20` payments: at
 * least 50 and at most 300, but never more than `payments`.
 * @returns `{ vault, team, person, change, lives }`: the team's row and the ids of the person and their accounts, of an
 * `entity.update` event, and of the payments in creation order
 */
export async function seed({ url, key, masterKey, begin, end, payments }) {
  const time = { now: begin }
  const clock = () => time.now
  const sleep = async () => {}
  const store = await openStore(url)
  try {
    const master = Buffer.from(masterKey, 'base64')
    const vault = createVault(master)
    await checkStore(store, vault, 'sandbox')
    const keys = await loadKeys(store, vault, master)
    await createFirstTeam(store, vault, key, begin, () => {})
    const owner = (await findKey(store.reader, key))?.team
    if (!owner) throw new Error('BOOTSTRAP_SECRET_KEY must be a secret key of the team in the store.')
    for (const table of ['entities', 'payments'])
      if (await store.reader.selectFrom(table).select('id').limit(1).executeTakeFirst())
        throw new Error(`The ${table} table must be empty: fill a new store, or one that contains only its team.`)
    const failed = []
    const log = (level, event, fields) => level === 'info' || failed.push(`${event} ${JSON.stringify(fields)}`)
    const routes = routeAll('sandbox')
    const app = createApp({
      environment: 'sandbox',
      apiOrigin: 'http://127.0.0.1:4000',
      frameOrigin: 'http://localhost:4100',
      silentOrigins: [],
      store,
      vault,
      keys,
      clock,
      log,
      metrics: createMetrics(),
      ports: createSandbox({ sleep }),
      railIsExternal: false,
      providerUsage: createProviderUsage({ store, log, clock }),
      capabilities: createCapabilities(() => routes),
      connections: () => [],
      statements: [],
      outbound: createOutbound({ loopback: false, ownPorts: () => [] }),
      reach() {},
      sleep,
      rateLimits: 0,
      codeLimits: defaultCodeLimits('sandbox'),
      trustedProxies: [],
      assets: noAssets,
    })
    async function call(method, path, body) {
      const headers = { authorization: `Bearer ${key}` }
      if (body !== undefined) headers['content-type'] = 'application/json'
      if (method === 'POST') headers['idempotency-key'] = randomUUID()
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const response = await app.api.fetch(new Request(`http://127.0.0.1:4000${path}`, init))
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`)
      return JSON.parse(text)
    }
    const drain = () => app.deps.jobs.drain(owner.id, 60_000, { lanes: true })
    const nextJob = async () => {
      const job = await store.reader
        .selectFrom('jobs')
        .select(query => query.fn.min('run_at').as('at'))
        .where('state', '=', 'ready')
        .executeTakeFirst()
      return job?.at === null || job === undefined ? Number.POSITIVE_INFINITY : Number(job.at)
    }
    /** Advances the clock to `until` and runs each job when it becomes due. */
    async function pass(until) {
      for (;;) {
        await drain()
        const next = await nextJob()
        if (next > until) break
        time.now = Math.max(time.now, next)
      }
      time.now = Math.max(time.now, until)
    }

    const person = await createPerson(call, drain)
    await pass(time.now + HOUR_MS)
    const before = await snapshotTables(store)
    await call('PUT', `/entities/${person.entity}`, { metadata: { segment: 'renewal' } })
    const change = await store.reader
      .selectFrom('events')
      .select('id')
      .where('type', '=', 'entity.update')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const made = payments > 0 ? await livePayments({ call, pass, time, end, person, payments }) : []
    await pass(end - COPY_WINDOW_MS)
    if (failed.length > 0) throw new Error(`The service logged a problem during seeding: ${failed[0]}`)
    const after = await snapshotTables(store)
    const team = after.find(({ table, values }) => table === 'teams' && values.id === owner.id).values
    await app.deps.jobs.stop()
    return { vault, team, person, change: change.id, lives: made, before, after }
  } finally {
    await store.close()
  }
}

async function createPerson(call, drain) {
  const individual = { first_name: 'Kevin', last_name: 'Doyle', phone: debtor.phone }
  const { id } = await call('POST', '/entities', { type: 'individual', individual })
  const sessions = `/entities/${id}/verification_sessions`
  const sms = await call('POST', sessions, { type: 'phone', method: 'sms', sms: {} })
  await call('PUT', `${sessions}/${sms.id}`, { type: 'phone', method: 'sms', sms: { sms_code: '123456' } })
  await call('POST', sessions, { type: 'identity', method: 'kba', kba: {} })
  const connect = await call('POST', `/entities/${id}/connect`)
  await drain()
  const { accounts } = await call('GET', `/entities/${id}/connect/${connect.id}`)
  for (const account of accounts)
    for (const product of ['balances', 'card_brands'])
      await call('POST', `/accounts/${account}/${product}`).catch(error => {
        // Loans do not have a card brand.
        if (!/ responded with 4\d\d/.test(error.message)) throw error
      })
  return { entity: id, accounts }
}

/**
 * Creates payments at regular intervals over the period and takes each one through its scenario. Returns their ids in
 * creation order.
 */
async function livePayments({ call, pass, time, end, person, payments }) {
  const count = Math.min(
    payments,
    MAX_LIVE_PAYMENTS,
    Math.max(cycle.length / 2, Math.ceil(payments / COPIES_PER_PAYMENT)),
  )
  // Each source account has its own holder, because an unauthorized payment also disables the holder.
  const openSource = async (number, routing) => {
    const holder = await call('POST', '/entities', { type: 'corporation', corporation: { name: 'Northwind Lending' } })
    const account = { holder_id: holder.id, ach: { routing, number, type: 'checking' } }
    return (await call('POST', '/accounts', account)).id
  }
  const good = await openSource(achNumbers[0].number, achRouting)
  const gap = (end - 2 * COPY_WINDOW_MS - time.now) / count
  const start = time.now
  const later = []
  const made = []
  const actUntil = async at => {
    later.sort((one, other) => one.at - other.at)
    while (later.length > 0 && later[0].at <= at) {
      const { at: when, act } = later.shift()
      await pass(when)
      await act()
    }
    await pass(at)
  }
  for (const [index, life] of deal(count).entries()) {
    let at = Math.floor(start + gap * (index + Math.random()))
    while (!isSteady(at)) at += COPY_WINDOW_MS
    await actUntil(Math.min(at, end - 2 * COPY_WINDOW_MS))
    const { id } = await call('POST', '/payments', {
      source: life.number ? await openSource(life.number, someRouting()) : good,
      destination: person.accounts[index % person.accounts.length],
      amount: 2_500 + Math.floor(Math.random() * 400_000),
      description: 'PAYOFF',
      metadata: { loan: `L-${100_000 + index}` },
      ...(life.fee ? { fee: { type: 'total', amount: 100 } } : {}),
    })
    made.push(id)
    if (life.cancel) await call('DELETE', `/payments/${id}`)
    if (life.settle) later.push({ at: at + 8 * DAY_MS, act: () => settle(call, id) })
    if (life.approve) later.push({ at: at + 6 * DAY_MS, act: () => approve(call, id) })
  }
  await actUntil(end - 2 * COPY_WINDOW_MS)
  return made
}

async function settle(call, id) {
  const { status } = await call('GET', `/payments/${id}`)
  if (status === 'posted') await call('POST', `/simulate/payments/${id}`, { status: 'settled' })
}

async function approve(call, id) {
  const { status, reversal_id } = await call('GET', `/payments/${id}`)
  if (status === 'reversal_required')
    await call('PUT', `/payments/${id}/reversals/${reversal_id}`, { status: 'pending' })
}

/** Tables to skip, because they contain no data from API callers. */
const LEFT_OUT = /^(kysely_|settings$|api_keys$|service_keys$|idempotency_away$|sqlite_|migration)/

/** Returns every row in a small store as `{ table, values }`. */
async function snapshotTables(store) {
  const tables = await store.reader.introspection.getTables()
  const rows = []
  for (const { name } of tables)
    if (!LEFT_OUT.test(name))
      for (const values of await store.reader.selectFrom(name).selectAll().execute()) rows.push({ table: name, values })
  return rows
}

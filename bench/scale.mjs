/**
 * Measures how much reads slow down as the store grows. Compares the same reads on two stores: a small one with 300
 * accounts or payments, and a large one with a thousand small teams plus one team that has a million accounts or
 * payments. Each account has three product records, and each payment has its postings and events. Reads alternate
 * between the two stores, and each result is the ratio of their median times per read in one run. The stores have just
 * been filled and have not been analyzed.
 *   node bench/scale.mjs [--engine sqlite|postgres] [--of accounts|payments] [--count 1000000] [--teams 1000]
 *     [--seconds 3] [--rounds 5] [--only item] [--json FILE]
 * At the default size, it takes about five minutes and 5 GB of disk space.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { usePostgres } from '../scripts/test/postgres.mjs'
import { masterKey, secretKey, start } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'
import { fill } from './fill.mjs'
import { bytesOf, load } from './load.mjs'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    of: { type: 'string', default: 'accounts' },
    count: { type: 'string', default: '1000000' },
    teams: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
})
const { engine, of: table } = options
if (!['accounts', 'payments'].includes(table)) {
  console.error('--of must be accounts or payments')
  process.exit(2)
}
const SMALL_STORE_ROWS = 300
/** The table that grows together with the table being measured. */
const beside = table === 'accounts' ? 'records' : 'events'
const columns = { accounts: 'id, holder_id', payments: 'id, destination, destination_holder_id' }
/**
 * The maximum ratio of a read's time on the large store to its time on the small store. Source: docs/reliability.md.
 */
const MAX_RATIO = 1.2

const postgres = engine === 'postgres' ? await usePostgres({ durable: true }) : {}
if (postgres.missing) {
  console.log(`Skipped: ${postgres.missing}.`)
  process.exit(3)
}

/** Creates a store with the given number of accounts or payments and starts the service on it. */
async function prepare(size) {
  const store = await createStore(engine, postgres.url)
  const began = performance.now()
  const { rows: filled } = await fill({ url: store.url, key: secretKey, masterKey }, size, { analyze: false })
  console.error(
    `${filled[table]} ${table}, ${filled[beside]} ${beside} in ${Math.round((performance.now() - began) / 1000)} s`,
  )
  const service = await start(store)
  return { store, service, filled }
}

const sides = {
  small: await prepare({ [table]: SMALL_STORE_ROWS, teams: 0 }),
  large: await prepare({ [table]: Number(options.count), teams: Number(options.teams) }),
}
const headers = { Authorization: `Bearer ${secretKey}` }

/** Returns one row from each tenth of a team's list, so that the reads cover the entire list. */
async function spread({ store, service }) {
  const [{ team_id }] = await store.query(`select team_id from api_keys limit 1`)
  const [{ n }] = await store.query(`select count(*) as n from ${table} where team_id = '${team_id}'`)
  const ids = []
  for (let tenth = 1; tenth < 10; tenth += 1) {
    const skip = Math.floor((Number(n) * tenth) / 10)
    const [row] = await store.query(
      `select ${columns[table]} from ${table} where team_id = '${team_id}' order by id desc limit 1 offset ${skip}`,
    )
    ids.push(row)
  }
  return { ids, port: Number(new URL(service.api).port) }
}
const expand = 'expand[]=update&expand[]=balance'
const ofAccounts = {
  'retrieve an account': ({ id }) => `/accounts/${id}`,
  'retrieve an account, expanded': ({ id }) => `/accounts/${id}?${expand}`,
  'retrieve a person': ({ holder_id }) => `/entities/${holder_id}`,
  'first page of 100': () => '/accounts',
  'first page of 100, expanded': () => `/accounts?${expand}`,
  'page of 20 anywhere': ({ id }) => `/accounts?page_limit=20&page_cursor=${id}`,
  'page of 20 anywhere, expanded': ({ id }) => `/accounts?page_limit=20&page_cursor=${id}&${expand}`,
  'accounts of a person': ({ holder_id }) => `/accounts?holder_id=${holder_id}`,
  'people, first page of 20': () => '/entities?page_limit=20',
  'a status without matches': () => '/accounts?status=closed',
  'an account’s updates': ({ id }) => `/accounts/${id}/updates`,
}
const ofPayments = {
  'retrieve a payment': ({ id }) => `/payments/${id}`,
  'retrieve an account': ({ destination }) => `/accounts/${destination}`,
  'retrieve a person': ({ destination_holder_id }) => `/entities/${destination_holder_id}`,
  'first page of 100': () => '/payments?page_limit=100',
  'page of 20 anywhere': ({ id }) => `/payments?page_limit=20&page_cursor=${id}`,
  'a status without matches': () => '/payments?status=reversal_processing',
  'a type without matches': () => '/payments?type=clearing',
  'payments of an unknown account': () => '/payments?acc_id=acc_0000000000000',
  'reversals of a payment': ({ id }) => `/payments/${id}/reversals`,
  'first page of events': () => '/events?page_limit=20',
}
const items = table === 'accounts' ? ofAccounts : ofPayments

const chosen = Object.entries(items).filter(([name]) => name.includes(options.only))
const measured = Object.fromEntries(chosen.map(([name]) => [name, { small: [], large: [] }]))
for (const side of Object.values(sides)) Object.assign(side, await spread(side))
for (let round = -1; round < Number(options.rounds); round += 1)
  for (const [name, pathOf] of chosen)
    for (const side of round % 2 === 0 ? ['small', 'large'] : ['large', 'small']) {
      const { ids, port } = sides[side]
      let turn = 0
      const next = () => bytesOf('GET', pathOf(ids[turn++ % ids.length]), { headers })
      const result = await load(port, next, { ms: Number(options.seconds) * (round < 0 ? 300 : 1000), connections: 8 })
      if (result.refused > 0) throw new Error(`${result.refused} requests of “${name}” were refused`)
      if (round >= 0) measured[name][side].push(1 / result.perSecond)
    }

const median = list => list.toSorted((a, b) => a - b)[list.length >> 1]
const rows = Object.entries(measured).map(([item, { small, large }]) => ({
  item,
  'ms, small': Number((median(small) * 1000).toFixed(3)),
  'ms, large': Number((median(large) * 1000).toFixed(3)),
  ratio: Number((median(large) / median(small)).toFixed(2)),
}))
console.log(
  `${engine}: ${sides.large.filled[table]} ${table} and ${sides.large.filled[beside]} ${beside} against ${SMALL_STORE_ROWS}; goal ${MAX_RATIO}`,
)
console.table(rows)
if (options.json) writeFileSync(options.json, `${JSON.stringify({ engine, rows }, null, 2)}\n`)
for (const { service, store } of Object.values(sides)) {
  await service.kill()
  await store.remove()
}
postgres.stop?.()
process.exitCode = rows.every(({ ratio }) => ratio <= MAX_RATIO) ? 0 : 1

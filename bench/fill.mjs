/**
 * Makes a store large: copies one person with one account and its records over and over, for one team and for many small
 * ones. Straight into the tables, because a million requests would take a day; nobody else may use the store meanwhile.
 */
import { createRequire } from 'node:module'
import { createId } from '../apps/api/dist/crypto/random.js'

const require = createRequire(new URL('../apps/api/package.json', import.meta.url))
const BATCH = 5_000
const PER_PERSON = 5

/** `{ all(sql), run(sql, text), close() }` on either engine; `text` is the one parameter, JSON. */
async function open({ engine, file, url }) {
  if (engine === 'sqlite') {
    const { DatabaseSync } = require('@photostructure/sqlite')
    const database = new DatabaseSync(file)
    database.exec('pragma synchronous = off; pragma cache_size = -400000')
    return {
      all: async sql => database.prepare(sql).all(),
      run: async (sql, text) => database.prepare(sql).run(text),
      transact: async work => {
        database.exec('begin')
        await work()
        database.exec('commit')
      },
      async close() {
        database.exec('pragma wal_checkpoint(truncate)')
        database.close()
      },
    }
  }
  const pg = require('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set synchronous_commit = off')
  return {
    all: async sql => (await client.query(sql)).rows,
    run: (sql, text) => client.query(sql, [text]),
    transact: work => work(),
    async close() {
      await client.query('vacuum analyze')
      await client.end()
    },
  }
}

/**
 * @param account one that is there, with its records pointed at
 * @param accounts how many for its team, `teams` how many others with 10 each
 * @param gap milliseconds between the ages of two accounts, newest last
 */
export async function fill(store, account, { accounts, teams, until }) {
  const db = await open(store)
  const [row] = await db.all(`select * from accounts where id = '${account}'`)
  const [entity] = await db.all(`select * from entities where id = '${row.holder_id}'`)
  const [team] = await db.all(`select * from teams where id = '${row.team_id}'`)
  const records = await db.all(
    `select records.* from latest join records on records.id = latest.record_id where latest.holder_id = '${account}'`,
  )
  const field = name => (store.engine === 'sqlite' ? `json_extract(value, '$.${name}')` : `value ->> '${name}'`)
  const source = store.engine === 'sqlite' ? 'json_each(?)' : 'json_array_elements($1::json) as each (value)'
  const literal = value =>
    value === null ? 'null' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
  /** Copies a row for every element of the JSON list; `changed` gives the columns that come from it. */
  const copy = (table, template, changed) => {
    const columns = Object.keys(template)
    const values = columns.map(name => (changed[name] ? field(changed[name]) : literal(template[name])))
    return rows => db.run(`insert into ${table} (${columns}) select ${values} from ${source}`, JSON.stringify(rows))
  }
  const copies = [
    { of: 'people', to: copy('entities', { ...entity, details: null, person: null }, { id: 'id', team_id: 'team' }) },
    {
      of: 'accounts',
      to: copy(
        'accounts',
        { ...row, details: null, reference: null, number: null, number_hash: null },
        { id: 'id', team_id: 'team', holder_id: 'holder' },
      ),
    },
    ...records.map((record, index) => ({
      of: 'accounts',
      to: copy('records', record, { id: `record${index}`, team_id: 'team', holder_id: 'id' }),
    })),
    ...records.map((record, index) => ({
      of: 'accounts',
      to: copy(
        'latest',
        { holder_id: account, product: record.product, record_id: record.id },
        { holder_id: 'id', record_id: `record${index}` },
      ),
    })),
  ]
  const kinds = records.map(({ id }) => /^(\w+_)/.exec(id)[1])
  const kindOf = prefix => ({ upt_: 'update', bal_: 'balance', crd_: 'card_brand', pyf_: 'payoff' })[prefix] ?? 'update'
  let made = 0
  const total = accounts + teams * 10
  const begin = until - total
  const add = async (owner, count) => {
    const people = []
    const list = []
    for (let index = 0; index < count; index += 1) {
      const now = begin + made
      made += 1
      if (index % PER_PERSON === 0) people.push({ id: createId('entity', now), team: owner })
      const one = { id: createId('account', now), team: owner, holder: people.at(-1).id }
      for (const [place, prefix] of kinds.entries()) one[`record${place}`] = createId(kindOf(prefix), now)
      list.push(one)
    }
    await db.transact(async () => {
      for (const { of, to } of copies) await to(of === 'people' ? people : list)
    })
  }
  if (teams > 0) {
    const others = Array.from({ length: teams }, () => ({ id: createId('team', begin) }))
    await copy('teams', team, { id: 'id' })(others)
    for (const { id } of others) await add(id, 10)
  }
  for (let left = accounts; left > 0; left -= BATCH) await add(row.team_id, Math.min(BATCH, left))
  await db.close()
  return { accounts: total, records: total * records.length }
}

/**
 * Fills a store on either engine with payments, people, accounts and events. Millions of each take only minutes.
 *   node bench/fill.mjs --database-url file:x.db|postgres://... --payments 1000000
 *     [--entities N] [--accounts N] [--events N] [--teams N] [--days 180]
 * The store must be new, or migrated by the built service and empty except for its team. No service may use the store
 * during the fill. ENCRYPTION_KEY and BOOTSTRAP_SECRET_KEY must match the service's values. Missing keys are generated.
 * Prints one line of JSON with both keys and the number of rows written to each table.
 *
 * Every row is a copy of a row that the service wrote. The loader runs the service in this process with a clock that
 * starts `--days` ago, creates up to 300 payments through its API, and lets the sandbox's rail process each one, so
 * that holidays and settlement dates are correct. It then copies each payment with everything related to it: postings,
 * events, reversals, jobs and stored responses. In the copy, it replaces ids, keys and times wherever they appear, and
 * decrypts and re-encrypts sealed values. New columns and tables are copied without a change to this file.
 *
 * `--entities` and `--accounts` add copies of one person with four accounts. The counts are rounded up to whole
 * people. Payments are distributed among all of these people. `--events` adds `entity.update` events. `--teams` adds
 * teams, each with three people of this kind.
 */
import { randomBytes } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { createId } from '../apps/api/dist/platform/crypto/random.js'
import { DAY_MS } from '../packages/contract/dist/time.js'
import { createIndex, createTemplate, openRows } from './fill/copy.mjs'
import { openBulk } from './fill/rows.mjs'
import { COPY_WINDOW_MS, seed } from './fill/seed.mjs'

/** The number of copies written per batch. */
const BATCH_ROWS = 2_000
const PEOPLE_PER_TEAM = 3
/**
 * The age at which the service deletes the stored response for an Idempotency-Key: see
 * apps/api/src/platform/jobs/sweep.ts.
 */
const RESPONSE_LIFETIME_MS = 7 * DAY_MS

/**
 * @param store `{ url, key, masterKey }`: the team's secret key, and the service's master key in base64
 * @param size `{ payments, entities, accounts, events, teams, days }`: each count defaults to 0, and `days` to 180
 * @param options the options of openBulk
 * @returns `{ rows, person }`: the number of rows written, by table, and the person that was copied
 */
export async function fill({ url, key, masterKey }, size, options = {}) {
  const { payments = 0, entities = 0, accounts = 0, events = 0, teams = 0, days = 180 } = size
  const end = Date.now()
  const begin = end - days * DAY_MS
  const { vault, team, person, change, lives, before, after } = await seed({
    url,
    key,
    masterKey,
    begin,
    end,
    payments,
  })
  const sealer = vault.sealer(team.id, team.data_key)
  const opened = rows => createIndex(openRows(rows, sealer))
  const [inBefore, inAfter] = [opened(before), opened(after)]
  const isTime = time => time >= begin && time <= end
  const rows = {}
  const bulk = await openBulk(url, options)

  /**
   * Writes `count` copies. `vary()` returns the changes for one copy; see createTemplate. Calls `seen` with each copy.
   */
  async function copy(template, count, vary, seen = () => {}) {
    for (let left = count; left > 0; left -= BATCH_ROWS) {
      const varied = Array.from({ length: Math.min(BATCH_ROWS, left) }, vary).sort(
        (one, other) => one.shift - other.shift,
      )
      const copies = varied.map(template.draw)
      for (const { table, fixed, varying, createdAt } of template.rows) {
        const kept =
          table === 'idempotency'
            ? copies.filter(({ shift }) => createdAt + shift > end - RESPONSE_LIFETIME_MS)
            : copies
        if (kept.length === 0) continue
        const lists = Object.fromEntries(Object.entries(varying).map(([column, make]) => [column, kept.map(make)]))
        await bulk.insert(table, { fixed, varying: lists, count: kept.length })
        rows[table] = (rows[table] ?? 0) + kept.length
      }
      for (const each of copies) seen(each)
    }
  }

  const personRows = inBefore(person.entity)
  const groups = lives.map(inAfter)
  await bulk.prepare([...new Set([personRows, ...groups].flat().map(({ table }) => table))])

  const sometime = () => ({ shift: -Math.floor(Math.random() * days * DAY_MS), sealer })
  const ids = [person.entity, ...person.accounts]
  /**
   * For each person who can receive payments, the person's id, followed by the ids of their accounts in a fixed order.
   */
  const owners = [ids]
  const people = Math.max(entities, Math.ceil(accounts / person.accounts.length)) - 1
  const personTemplate = createTemplate(personRows, { isTime })
  await copy(personTemplate, people, sometime, each => {
    if (payments > 0) owners.push(ids.map(id => personTemplate.tokenOf(each, id)))
  })
  if (teams > 0) {
    const template = createTemplate(personRows, { isTime, foreign: [team.id] })
    for (let index = 0; index < teams; index += 1) {
      const { id: _id, data_key: _dataKey, ...fixed } = team
      const id = createId('team', begin)
      const data_key = vault.createTeamKey(id)
      await bulk.insert('teams', { fixed, varying: { id: [id], data_key: [data_key] }, count: 1 })
      const other = vault.sealer(id, data_key)
      await copy(template, PEOPLE_PER_TEAM, () => ({ ...sometime(), sealer: other, foreign: [id] }))
    }
    rows.teams = teams
  }
  if (events > 0)
    await copy(createTemplate(inAfter(change), { isTime }), events, () => ({
      shift: Math.floor(Math.random() * (end - begin - DAY_MS)),
      sealer,
    }))
  for (const [index, group] of groups.entries()) {
    const template = createTemplate(group, { isTime, foreign: ids })
    const count =
      Math.floor(((payments - groups.length) * (index + 1)) / groups.length) -
      Math.floor(((payments - groups.length) * index) / groups.length)
    await copy(template, count, () => ({
      shift: 1 + Math.floor(Math.random() * (COPY_WINDOW_MS - 1)),
      sealer,
      foreign: owners[Math.floor(Math.random() * owners.length)],
    }))
  }
  await bulk.close()
  return { rows, person }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const sizes = ['payments', 'entities', 'accounts', 'events', 'teams', 'days']
  const { values } = parseArgs({
    options: {
      'database-url': { type: 'string' },
      ...Object.fromEntries(sizes.map(name => [name, { type: 'string' }])),
    },
  })
  const size = {}
  for (const name of sizes) {
    if (values[name] === undefined) continue
    size[name] = Number(values[name])
    if (!Number.isSafeInteger(size[name]) || size[name] < 0) {
      console.error(`--${name} must be a whole number of at least 0`)
      process.exit(2)
    }
  }
  if (!/^(file:|postgres(ql)?:\/\/)/.test(values['database-url'] ?? '')) {
    console.error('--database-url must be file:PATH or postgres://...')
    process.exit(2)
  }
  const key = process.env.BOOTSTRAP_SECRET_KEY ?? `sk_${randomBytes(24).toString('hex')}`
  const masterKey = process.env.ENCRYPTION_KEY ?? randomBytes(32).toString('base64')
  const began = performance.now()
  const { rows } = await fill({ url: values['database-url'], key, masterKey }, size)
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(JSON.stringify({ BOOTSTRAP_SECRET_KEY: key, ENCRYPTION_KEY: masterKey, seconds, rows }))
}

/**
 * The baseline for the service: a plain node:http server backed by the store. Each handler runs the SQL that the
 * service runs for the same request, with the same driver and settings, on a copy of the service's store. The server
 * does no routing, validation, authentication or encryption.
 *   node bench/bare.mjs DATABASE_URL    prints its port
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const require = createRequire(new URL('../apps/api/package.json', import.meta.url))
const url = process.argv[2]

/**
 * `run(sql, ...values)` returns rows. `write(work)` runs work in a single transaction. On both engines, placeholders
 * are `$1`, `$2` and so on.
 */
async function openSqlite(path) {
  const { DatabaseSync } = require('@photostructure/sqlite')
  const open = () => {
    const database = new DatabaseSync(path, { timeout: 5_000 })
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
    const prepared = new Map()
    return (sql, ...values) => {
      if (!prepared.has(sql)) prepared.set(sql, database.prepare(sql.replace(/\$\d+/g, '?')))
      return prepared.get(sql).all(...values)
    }
  }
  const reader = open()
  const writer = open()
  return {
    run: reader,
    write(work) {
      writer('begin immediate')
      const result = work(writer)
      writer('commit')
      return result
    },
  }
}

async function openPostgres() {
  const pg = require('pg')
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  const on =
    client =>
    async (sql, ...values) =>
      (await client.query(sql, values)).rows
  return {
    run: on(pool),
    async write(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const result = await work(on(client))
        await client.query('commit')
        return result
      } finally {
        client.release()
      }
    },
  }
}

const isFile = url.startsWith('file:')
const { run, write } = isFile ? await openSqlite(url.slice('file:'.length)) : await openPostgres()
/** Runs statements in sequence. Awaits each statement if the driver is asynchronous. */
const inTurn = isFile
  ? (work, statements) => statements.map(([sql, ...values]) => work(sql, ...values))
  : async (work, statements) => {
      const all = []
      for (const [sql, ...values] of statements) all.push(await work(sql, ...values))
      return all
    }

const places = count => Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ')
const insert = (table, row, more = '') => [
  `insert into ${table} (${Object.keys(row).join(', ')}) values (${places(Object.keys(row).length)})${more}`,
  ...Object.values(row),
]

const [team] = await run('select id from teams limit 1')
const [template] = await run('select * from payments limit 1')
const [event] = await run("select * from events where type = 'payment.create' limit 1")
const [session] = await run('select * from sessions limit 1')
const [token] = await run('select * from tokens limit 1')
const [bearer] = await run('select * from bearers limit 1')
const [shown] = await run('select * from session_events limit 1')
const ends = `select a.*, n.status as holder_status from accounts a join entities n on n.team_id = a.team_id and n.id = a.holder_id where a.team_id = $1 and a.id in ($2, $3)`
const balance = `select r.data from latest l join records r on r.team_id = l.team_id and r.id = l.record_id where l.holder_id = $1 and l.team_id = $2 and l.product = 'balance' and r.status = 'completed'`
const keyOf = 'select * from idempotency where team_id = $1 and key = $2'
const paymentOf = 'select * from payments where team_id = $1 and idempotency_key = $2'
const claims = ['team_id', 'key', 'state', 'method', 'path', 'body_hash', 'created_at']
const claim = `insert into idempotency (${claims.join(', ')}) values (${places(claims.length)}) on conflict do nothing returning key`
const keep =
  "update idempotency set state = 'done', status = 200, body = $1 where team_id = $2 and key = $3 and state = 'waiting' returning key"

async function pay(key) {
  const now = Date.now()
  const id = `pmt_${randomUUID()}`
  const row = { ...template, id, idempotency_key: key, created_at: now, updated_at: now }
  const asked = [[ends, team.id, template.source, template.destination]]
  await inTurn(run, [[keyOf, team.id, key], [paymentOf, team.id, key], ...asked])
  const body = JSON.stringify(row)
  await write(work =>
    inTurn(work, [
      [claim, team.id, key, 'waiting', 'POST', '/payments', 'hash', now],
      [paymentOf, team.id, key],
      ...asked,
      [balance, template.destination, team.id],
      insert('payments', row),
      insert('events', { ...event, id: `evt_${randomUUID()}`, resource_id: id, created_at: now }),
      insert('jobs', {
        id: `job_${randomUUID()}`,
        team_id: team.id,
        kind: 'payment.submit',
        payload: JSON.stringify({ payment: id }),
        state: 'ready',
        run_at: now,
        clocked: 1,
        attempts: 0,
        created_at: now,
      }),
      [keep, body, team.id, key],
    ]),
  )
  return body
}

async function mint() {
  const now = Date.now()
  const id = `osess_${randomUUID()}`
  const handle = randomUUID()
  await write(work =>
    inTurn(work, [
      ['select * from entities where team_id = $1 and id = $2', team.id, session.entity_id],
      insert('sessions', { ...session, id, created_at: now }),
      insert('tokens', { ...token, handle, session_id: id, consumed_at: null, created_at: now }),
      insert('directory', { key: handle, team_id: team.id }),
    ]),
  )
  return JSON.stringify({ element_token: handle, session_id: id })
}

const tokenOf =
  'select t.* from directory d join tokens t on t.team_id = d.team_id and t.handle = d.key where d.key = $1'
const bearerOf =
  'select b.* from directory d join bearers b on b.team_id = d.team_id and b.hash = d.key where d.key = $1'
const sessionOf = 'select * from sessions where team_id = $1 and id = $2'
const spend =
  'update tokens set consumed_at = $1, exchange_hash = $2, exchange_until = $3 where team_id = $5 and handle = $4 and consumed_at is null and revoked_at is null and expires_at > $1 returning *'

async function redeem(handle) {
  const now = Date.now()
  const [[known]] = await inTurn(run, [
    [tokenOf, handle],
    ['select * from teams where id = $1', team.id],
  ])
  const hash = randomUUID()
  const note = () => insert('session_events', { ...shown, id: randomUUID(), session_id: known.session_id, handle })
  await write(work =>
    inTurn(work, [
      ['select mode from sessions where team_id = $1 and id = $2', team.id, known.session_id],
      [spend, now, 'hash', now + 60_000, handle, team.id],
      [sessionOf, team.id, known.session_id],
      insert('bearers', { ...bearer, hash, session_id: known.session_id, handle }),
      insert('directory', { key: hash, team_id: team.id }),
      note(),
    ]),
  )
  const [, , , , [found]] = await inTurn(run, [
    [bearerOf, hash],
    ['select * from teams where id = $1', team.id],
    [tokenOf, handle],
    ['select id from session_events where session_id = $1 order by id desc limit 1', known.session_id],
    [sessionOf, team.id, known.session_id],
    ['select * from entities where team_id = $1 and id = $2', team.id, session.entity_id],
  ])
  await write(work =>
    inTurn(work, [
      [sessionOf, team.id, known.session_id],
      note(),
      ['update sessions set progress = $1 where team_id = $2 and id = $3', found.progress, team.id, known.session_id],
    ]),
  )
  await run('select * from session_events where team_id = $1 and handle = $2 order by id limit 100', team.id, handle)
  return JSON.stringify({ bearer: hash, view: found })
}

const routes = {
  ping: () => '{"success":true,"data":null,"message":"pong"}',
  retrieve: async () =>
    JSON.stringify((await run('select * from payments where team_id = $1 and id = $2', team.id, template.id))[0]),
  payment: request => pay(request.headers['idempotency-key']),
  mint,
  redeem: request => redeem(request.headers.token),
}

createServer(async (request, response) => {
  for await (const _ of request);
  const body = await routes[request.url.slice(1)](request)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}).listen(0, '127.0.0.1', function () {
  console.log(this.address().port)
})

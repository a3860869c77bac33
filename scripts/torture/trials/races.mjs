/**
 * Sends many requests at the same moment, to one process or to several that share a store. One request wins, and all
 * requests get the same response.
 */
import { randomUUID } from 'node:crypto'
import { allocate, lender, mixedPerson, pickyAbove, transferOf } from '../lender.mjs'
import { exchangeId, finish, look, redeem } from '../person.mjs'
import { throughProxy } from './network.mjs'

/** The maximum time to wait for a response, in ms. The limit only protects against hangs. */
const RESPONSE_TIMEOUT_MS = 120_000

/**
 * Makes `count` calls at the same time, distributed across the services. Repeats a call if its response asks for a retry.
 */
const together = (count, services, work) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      for (const until = performance.now() + RESPONSE_TIMEOUT_MS; ; ) {
        const reply = await work(services[index % services.length], index)
        const wait = Number(reply.headers['retry-after'])
        if (!([409, 503].includes(reply.status) && wait > 0) || performance.now() > until) return reply
        await new Promise(resolve => setTimeout(resolve, wait * 1_000))
      }
    }),
  )

const tally = values => {
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => `${count} x ${value}`).join(', ')
}

const REDEEMERS = 200

/** Sends 200 requests to redeem one token. In the first rounds, the winner completes the flow. */
async function redemptions({ services, rounds, expect }) {
  const customer = lender(services[0])
  const entity = await customer.entity(mixedPerson)
  let winners = 0
  let refused = 0
  let finished = 0
  await rounds(async round => {
    const { element_token } = await customer.transfer(entity)
    const exchanges = Array.from({ length: REDEEMERS }, exchangeId)
    const replies = await together(REDEEMERS, services, (service, index) =>
      redeem(service, element_token, exchanges[index]),
    )
    const won = replies.filter(({ status }) => status === 200)
    const lost = replies.filter(({ json }) => json?.error?.sub_type === 'EXPIRED_TOKEN')
    expect(
      won.length === 1 && lost.length === REDEEMERS - 1,
      `a token was redeemed ${won.length} times: ${tally(replies.map(({ status, json }) => `${status} ${json?.error?.sub_type ?? ''}`))}`,
    )
    winners += won.length
    refused += lost.length
    if (won.length !== 1 || round >= 3) return
    const { bearer, view } = won[0].json
    const end = await finish(services[(round + 1) % services.length], bearer, view)
    expect(end.view.step === 'done', `the winner's flow ended at ${end.view.step}`)
    finished += 1
  })
  return `${REDEEMERS} redemptions of one token: ${winners} won, ${refused} rejected, ${finished} winners completed the flow`
}

/** The number of clients per token, and the share of their requests whose response is lost. */
const RIVALS = 8
const LOST_SHARE = 0.3
/** The number of tokens that are redeemed at the same time: enough that the service rejects requests with 503. */
const TOKENS = 250
/**
 * The number of calls between two commits whose response is lost. If every commit were lost, the last client could never
 * get a response.
 */
const CALLS_PER_COMMIT = 20

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/**
 * Repeats a frame's call until there is a final response. Does not wait as long as the service asks for, so that it
 * stays busy.
 * @param send makes the call; gets the time in ms after which it must end the connection
 */
async function untilAnswered(counts, send) {
  for (const until = performance.now() + RESPONSE_TIMEOUT_MS; performance.now() < until; ) {
    const isLost = Math.random() < LOST_SHARE
    counts.calls += 1
    const reply = await send(isLost ? 1 + Math.random() * 400 : RESPONSE_TIMEOUT_MS).catch(() => null)
    if (reply === null) counts.lost += 1
    else if (reply.status === 503) counts.rejected += 1
    else return reply
    await pause(50 + Math.random() * 500)
  }
  throw new Error('A call of the frame got no final response.')
}

/** Loses the responses to commits while `work` runs, and counts them. */
async function losingCommits(proxy, counts, work) {
  let isOver = false
  const done = work().finally(() => {
    isOver = true
  })
  for (let next = 0; !isOver; await Promise.race([pause(10), done])) {
    if (counts.calls < next) continue
    await Promise.race([proxy.loseCommit().then(() => (counts.commits += 1)), done])
    next = counts.calls + CALLS_PER_COMMIT
  }
  proxy.keepCommits()
}

/** Redeems each of many tokens of a person from several clients at the same time. */
async function redeemAll({ rounds, expect, amount, store }, service, entity, counts) {
  const customer = lender(service)
  let sessions = 0
  await rounds(async () => {
    const tokens = []
    while (tokens.length < Math.min(amount - sessions, TOKENS)) {
      const reply = await customer.api('POST', '/elements/token', transferOf(entity))
      if (reply.status === 200) tokens.push(reply.json.element_token)
    }
    await Promise.all(
      tokens.map(async token => {
        const replies = await Promise.all(
          Array.from({ length: RIVALS }, exchangeId).map(exchange =>
            untilAnswered(counts, patience => redeem(service, token, exchange, patience)),
          ),
        )
        const won = replies.filter(({ status }) => status === 200)
        const refused = replies.filter(({ json }) => json?.error?.sub_type === 'EXPIRED_TOKEN')
        expect(
          won.length === 1 && refused.length === RIVALS - 1,
          `a token was redeemed ${won.length} times: ${tally(replies.map(({ status, json }) => `${status} ${json?.error?.sub_type ?? ''}`))}`,
        )
        for (const { json } of won) {
          const view = await untilAnswered(counts, patience => look(service, json.bearer, patience))
          expect(view.status === 200, `a winner's session returned ${view.status}`)
        }
      }),
    )
    sessions += tokens.length
  })
  const [{ count }] = await store.query('select count(*) as count from bearers')
  expect(sessions === amount, `only ${sessions} of ${amount} tokens were redeemed in time`)
  expect(Number(count) === sessions, `${sessions} tokens opened ${count} sessions`)
  return sessions
}

/**
 * Redeems tokens while connections are cut, while the service rejects requests because it is busy, and while PostgreSQL's
 * responses to commits are lost. For each token, one client gets a session that works, and the others are rejected.
 */
async function lostRedemptions(trial) {
  const counts = { calls: 0, lost: 0, rejected: 0, commits: 0 }
  let sessions = 0
  if (trial.store.engine === 'postgres')
    await throughProxy(trial, async (proxy, env) => {
      const service = await trial.launch(env)
      const entity = await lender(service).entity(mixedPerson)
      await losingCommits(proxy, counts, async () => {
        sessions = await redeemAll(trial, service, entity, counts)
      })
      await service.stop()
    })
  else {
    const service = await trial.launch()
    sessions = await redeemAll(trial, service, await lender(service).entity(mixedPerson), counts)
  }
  return `${sessions} tokens, ${RIVALS} clients each: one session per token, over ${counts.lost} lost responses, ${counts.commits} lost responses to commits and ${counts.rejected} responses with 503`
}

const RELEASES = 50

/** Sends 50 requests to release one confirmed session. Half of the session's payments are rejected at creation. */
async function releases({ services, rounds, expect, store }) {
  const customer = lender(services[0])
  const { entity, accounts } = await customer.debtor()
  const source = await customer.source({ refusing: true })
  const allocations = allocate(accounts)
  const payable = accounts.filter(id => allocations[id] <= pickyAbove).length
  let done = 0
  await rounds(async round => {
    const session = await customer.confirmed(entity, allocations)
    const replies = await together(RELEASES, services, (service, index) =>
      lender(service).release(session, source, round % 2 ? `${session} ${index % 5}` : undefined),
    )
    const texts = new Set(replies.map(({ status, text }) => `${status} ${text}`))
    expect(
      texts.size === 1,
      `releases of one session received ${texts.size} different responses: ${[...texts].slice(0, 3).join(' | ')}`,
    )
    const { bt } = replies[0].json.data ?? {}
    const ids = Object.values(bt?.payment_ids ?? {})
    expect(
      ids.filter(Boolean).length === payable &&
        Object.keys(bt?.payment_errors ?? {}).length === accounts.length - payable,
      `a release returned ${ids.filter(Boolean).length} payments instead of ${payable}`,
    )
    const [{ count }] = await store.query(`select count(*) as count from payments where session_id = '${session}'`)
    expect(Number(count) === payable, `a released session has ${count} payments instead of ${payable}`)
    done += 1
  })
  return `${RELEASES} releases of one session: ${done} sessions, ${done * payable} payments, ${done * (accounts.length - payable)} rejected as expected, all responses equal`
}

const POSTS = 100

/**
 * Sends 100 POST requests with one Idempotency-Key: for a payment, for an entity, and for a connect whose response
 * waits for the network.
 */
async function repeats({ services, rounds, expect, store }) {
  const customer = lender(services[0])
  const { entity, accounts } = await customer.debtor()
  const source = await customer.source()
  const kinds = [
    {
      path: '/payments',
      body: n => ({ source, destination: accounts[n % 4], amount: 500 + n, description: 'torture' }),
      table: 'payments',
    },
    {
      path: '/entities',
      body: n => ({ type: 'corporation', corporation: { name: `Number ${n}` } }),
      table: 'entities',
    },
    { path: `/entities/${entity}/connect`, body: () => ({}), table: 'records' },
  ]
  let keys = 0
  let replayed = 0
  await rounds(async round => {
    const kind = kinds[round % kinds.length]
    const key = randomUUID()
    const count = async () =>
      Number(
        (
          await store.query(
            `select count(*) as count from ${kind.table} where ${kind.table === 'records' ? "product = 'connect'" : '1 = 1'}`,
          )
        )[0].count,
      )
    const before = await count()
    // In every third group of rounds, the bodies differ. Even then, only the first request with a key has an effect.
    const differ = round % 9 >= 6
    const replies = await together(POSTS, services, (service, index) =>
      lender(service).api('POST', kind.path, kind.body(differ ? index : round), { 'idempotency-key': key }),
    )
    const texts = new Set(replies.map(({ status, text }) => `${status} ${text}`))
    expect(
      texts.size === 1 && replies[0].status === 200,
      `POSTs with one key received ${texts.size} responses: ${[...texts].slice(0, 3).join(' | ')}`,
    )
    const first = replies.filter(({ headers }) => headers['idempotency-replayed'] !== 'true').length
    expect(first === 1 || kind.table === 'records', `${first} POSTs with one key were treated as the first`)
    const made = (await count()) - before
    expect(
      made === 1,
      `${POSTS} POSTs with one key to ${kind.path.replace(entity, ':id')} created ${made} ${kind.table}`,
    )
    keys += 1
    replayed += replies.length - first
  })
  return `${POSTS} POSTs with one Idempotency-Key: ${keys} keys, ${keys} effects, ${replayed} replays, equal bytes`
}

export const trials = [
  { name: 'redemptions', run: redemptions, processes: 1, rounds: [4, 60], seconds: 40 },
  {
    name: 'redemptions, lost responses',
    run: lostRedemptions,
    rounds: [1, 8],
    seconds: 600,
    amount: [40, 2_000],
  },
  { name: 'releases', run: releases, processes: 1, rounds: [6, 100], seconds: 30 },
  { name: 'repeats', run: repeats, processes: 1, rounds: [9, 150], seconds: 30 },
  {
    name: 'redemptions, two processes',
    run: redemptions,
    processes: 2,
    rounds: [4, 40],
    seconds: 30,
    on: 'postgres',
  },
  {
    name: 'releases, two processes',
    run: releases,
    processes: 2,
    rounds: [6, 80],
    seconds: 30,
    on: 'postgres',
  },
  { name: 'repeats, two processes', run: repeats, processes: 2, rounds: [9, 120], seconds: 30, on: 'postgres' },
]

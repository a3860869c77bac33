/** Pays through two services in a chain, of which either is killed. See chain.mjs. */
import { randomUUID } from 'node:crypto'
import { freePort } from '../../test/free-port.mjs'
import { runAdmin } from '../bank.mjs'
import { createHook, lowerEnv, lowerKey, upperEnv } from '../chain.mjs'
import { createCrew } from '../crew.mjs'
import { finishDueJobs } from '../due-jobs.mjs'
import { broken } from '../invariants.mjs'
import { lender } from '../lender.mjs'
import { start } from '../service.mjs'

const CLIENTS = 8
/** The average time from the start of a killed process to the next kill, in ms. */
const KILL_INTERVAL_MS = 1_500
/** The time limit for a payment to reach the lower service, in ms. */
const ARRIVAL_MS = 120_000
/** The steps of the clocks after which a payment is posted, even over a weekend. */
const SETTLE_STEPS = ['P4D', 'P4D']
const killAt = new URL('../kill-at.mjs', import.meta.url).href

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
const oneOf = list => list[Math.floor(Math.random() * list.length)]

/** Opens the lower service's store, and chooses the ports that both services keep when they are started again. */
async function openChain({ launch, another }) {
  const store = await another()
  const [lowerPort, upperPort] = [await freePort(), await freePort()]
  const below = { ...lowerEnv, PORT: lowerPort }
  const above = { ...upperEnv(`http://127.0.0.1:${lowerPort}`), PORT: upperPort }
  const started = []
  return {
    store,
    below,
    above,
    async startLower(env = {}) {
      const service = await start(store, { ...below, ...env })
      started.push(service)
      return service
    },
    startUpper: (env = {}) => launch({ ...above, ...env }),
    /** Stops the lower service, and checks what it wrote. The upper one is checked with the fault test's own store. */
    async close(expect) {
      for (const service of started) {
        await service.stop()
        expect(service.errors.length === 0, `the lower service logged: ${service.errors[0]}`)
      }
      for (const sentence of await broken(store)) expect(false, `the lower service: ${sentence}`)
      await store.remove()
    },
  }
}

/** Creates a person with debts, and the account that payments leave from. */
async function openBooks(upper) {
  const customer = lender(upper)
  const { accounts } = await customer.debtor()
  return { source: await customer.source(), debts: accounts }
}
const paymentOf = ({ source, debts }, key) => ({
  ...{ source, destination: oneOf(debts), description: 'torture', metadata: { key } },
  amount: 1_000 + Math.floor(Math.random() * 90_000),
})

/** Lists all payments of a service. */
async function listPayments(customer) {
  const payments = []
  for (let cursor = null; ; ) {
    const path = `/payments?page_limit=100${cursor === null ? '' : `&page_cursor=${cursor}`}`
    const { json, headers } = await customer.api('GET', path)
    payments.push(...json.data)
    cursor = headers['pagination-page-cursor-next'] || null
    if (cursor === null) return payments
  }
}

/** Compares every payment with the payments of the lower service. @returns the number of those */
async function compareChain(upper, lower, expect) {
  const payments = new Map((await listPayments(lender(upper))).map(payment => [payment.id, payment]))
  const there = await listPayments(lender(lower, lowerKey))
  const found = new Map()
  for (const each of there) {
    const id = each.metadata?.causeway_payment
    const payment = payments.get(id)
    expect(payment !== undefined, `the lower service has ${each.id}, which no payment caused`)
    expect(!found.has(id), `the lower service has two payments for ${id}`)
    found.set(id, each)
    if (!payment) continue
    expect(payment.amount === each.amount, `${id} is ${payment.amount}, but ${each.amount} below`)
    expect(payment.status === each.status, `${id} is ${payment.status}, but ${each.status} below`)
  }
  for (const { id, status } of payments.values())
    expect(found.has(id) || status === 'canceled', `${id} is ${status}, but the lower service has no payment`)
  return there.length
}

/** Lets both services finish: payments are posted, and both ledgers agree with them. */
async function settle({ chain, store, upper, lower, expect }) {
  const clocks = [lender(lower, lowerKey), lender(upper)]
  const finish = async () => {
    for (const each of [chain.store, store, chain.store, store]) {
      const left = await finishDueJobs(each)
      expect(left === 0, `${left} due jobs did not finish`)
    }
  }
  await finish()
  for (const advance of SETTLE_STEPS) {
    for (const clock of clocks) await clock.must('POST', '/simulate/clock', { advance })
    await finish()
  }
  const total = await compareChain(upper, lower, expect)
  for (const [at, env] of [
    [chain.store, chain.below],
    [store, chain.above],
  ]) {
    const { code, output, said } = await runAdmin(at, env, 'ledger', 'check')
    expect(code === 0, `a ledger check failed: ${output.slice(0, 1_000)}${said}`)
  }
  return total
}

/** Pays `amount` times, and cancels some of the payments, while both processes are killed again and again. */
async function paymentsThroughChain({ launch, store, another, expect, amount }) {
  const chain = await openChain({ launch, another })
  const lower = await createCrew(chain.startLower, {}, ['all'])
  const upper = await createCrew(chain.startUpper, {}, ['all'])
  const [below, above] = [await lower.anyone(), await upper.anyone()]
  await createHook(lender(below, lowerKey), above.api)
  const books = await openBooks(above)
  const counts = { begun: 0, canceled: 0 }
  const acknowledged = new Set()
  const isOver = () => counts.begun >= amount
  async function client() {
    while (!isOver()) {
      counts.begun += 1
      const key = randomUUID()
      const reply = await upper.ask('POST', '/payments', paymentOf(books, key), key)
      expect(reply.status === 200, `a payment returned ${reply.status}: ${reply.text}`)
      if (reply.status !== 200) continue
      acknowledged.add(reply.json.id)
      if (Math.random() < 0.1 && (await upper.ask('DELETE', `/payments/${reply.json.id}`)).status === 200)
        counts.canceled += 1
      await pause(Math.random() * 2_000)
    }
  }
  async function disturb() {
    for (let round = 0; !isOver(); round += 1) {
      const doomed = [[upper], [lower], [upper, lower]][round % 3]
      await Promise.all(doomed.map(crew => crew.killOne()))
      await pause((0.5 + Math.random()) * KILL_INTERVAL_MS)
    }
  }
  await Promise.all([disturb(), ...Array.from({ length: CLIENTS }, client)])
  const ended = { upper: await upper.anyone(), lower: await lower.anyone() }
  const total = await settle({ chain, store, ...ended, expect })
  const [{ count }] = await store.query('select count(*) as count from payments')
  expect(Number(count) === acknowledged.size, `${count} payments, of which ${acknowledged.size} were acknowledged`)
  await chain.close(expect)
  return `${count} payments, ${total} at the lower service, none twice and none lost; ${counts.canceled} canceled; ${upper.kills} kills of the upper service, ${lower.kills} of the lower one`
}

/** Waits until the lower service has a payment for a payment of the upper one. */
async function arrive(lower, id) {
  for (const until = performance.now() + ARRIVAL_MS; performance.now() < until; await pause(100)) {
    const made = (await listPayments(lender(lower, lowerKey))).filter(
      ({ metadata }) => metadata?.causeway_payment === id,
    )
    if (made.length > 0) return made.length
  }
  return 0
}

/**
 * Kills either service before each SQL statement of a payment, from the request to the lower service's answer, and
 * repeats the request with the same key. Every `amount`-th statement is tried.
 */
async function paymentsKilledInChain({ launch, store, another, rounds, expect, amount }) {
  const chain = await openChain({ launch, another })
  const starts = { lower: chain.startLower, upper: chain.startUpper }
  const services = { lower: await chain.startLower(), upper: await chain.startUpper() }
  const books = await openBooks(services.upper)
  const state = { lower: { step: 1 - amount, isDone: false }, upper: { step: 1 - amount, isDone: false } }
  let kills = 0
  await rounds(async round => {
    const name = round % 2 ? 'lower' : 'upper'
    const at = state[name]
    // The payment has no more statements than the last one that survived.
    if (at.isDone) return
    at.step += amount
    await services[name].stop()
    const armed = { NODE_OPTIONS: `--import=${killAt}`, COUNT_FROM: 'SIGUSR2', KILL_AT: String(at.step) }
    services[name] = await starts[name](armed)
    const key = randomUUID()
    const body = paymentOf(books, key)
    const pay = () => lender(services.upper).api('POST', '/payments', body, { 'idempotency-key': key })
    services[name].kill('SIGUSR2')
    const first = await pay().catch(() => null)
    const isOver = first?.json?.id && name === 'upper' ? arrive(services.lower, first.json.id) : pause(2_000)
    at.isDone = await Promise.race([services[name].ended.then(() => false), isOver.then?.(() => true)])
    if (at.isDone) await services[name].stop()
    else kills += 1
    services[name] = await starts[name]()
    const again = await pay()
    expect(again.status === 200, `${name}, step ${at.step}: a repeated payment returned ${again.status}: ${again.text}`)
    if (again.status !== 200) return
    const made = await arrive(services.lower, again.json.id)
    expect(made === 1, `${name}, step ${at.step}: the lower service has ${made} payments`)
  })
  const total = await settle({ chain, store, ...services, expect })
  await chain.close(expect)
  return `${kills} kills, each before another statement: ${state.upper.step} of the upper service, ${state.lower.step} of the lower one; ${total} payments, each paid once`
}

export const trials = [
  {
    name: 'payments through two services',
    run: paymentsThroughChain,
    rounds: [1, 1],
    seconds: 1_800,
    amount: [40, 2_000],
  },
  {
    name: 'payments through two services, killed at each step',
    run: paymentsKilledInChain,
    rounds: [4, 1_000],
    seconds: 900,
    amount: [29, 2],
    whole: true,
  },
]

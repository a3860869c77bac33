/** Pays through the emulator of Increase, over a network that breaks, with a service that is killed. */
import { randomUUID } from 'node:crypto'
import { createBank, funds, importPayees, runAdmin } from '../bank.mjs'
import { createCrew } from '../crew.mjs'
import { finishDueJobs } from '../due-jobs.mjs'
import { lender } from '../lender.mjs'

const CLIENTS = 16
/** The average time between two kills, in ms. Jobs of a killed process wait until its lease ends. */
const KILL_INTERVAL_MS = 8_000
/** The time limit for a payment to reach the bank, in ms. */
const ARRIVAL_MS = 120_000
const killAt = new URL('../kill-at.mjs', import.meta.url).href
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
const seconds = (from, to) => Math.round((to - from) / 1_000)
const oneOf = list => list[Math.floor(Math.random() * list.length)]

/** Creates a person with debts that the bank can pay, and the account that payments leave from. */
async function openBooks(service, store, env) {
  const customer = lender(service)
  const { accounts } = await customer.debtor()
  const debts = await Promise.all(accounts.map(id => customer.must('GET', `/accounts/${id}`)))
  await importPayees(store, env, [...new Set(debts.map(({ liability }) => liability.mch_id))])
  const holder = await customer.must('POST', '/entities', { type: 'corporation', corporation: { name: 'Lender' } })
  const source = await customer.must('POST', '/accounts', {
    holder_id: holder.id,
    ach: { ...funds, type: 'checking' },
  })
  return { source: source.id, debts: accounts }
}

const paymentOf = ({ source, debts }, key) => ({
  source,
  destination: oneOf(debts),
  amount: 1_000 + Math.floor(Math.random() * 90_000),
  description: 'torture',
  metadata: { key },
})

/** The states of payments whose transfer has a state at the bank. */
const agreeing = {
  returned: ['reversal_required', 'reversal_processing', 'reversed'],
  rejected: ['failed'],
  stopped: ['canceled', 'failed', 'reversal_required'],
  canceled: ['canceled', 'failed'],
  deposited: ['posted', 'settled'],
}

/** Compares every payment with the bank's transfers and statement. @returns the number of transfers */
async function compareWithBank({ emulator }, store, expect) {
  const rows = await store.query('select id, status, amount from payments')
  const payments = new Map(rows.map(row => [row.id, row]))
  const byKey = new Map()
  for (const transfer of emulator.transfers.all.values()) {
    const payment = payments.get(transfer.idempotency_key)
    expect(payment !== undefined, `the bank has ${transfer.id}, which no payment caused`)
    expect(!byKey.has(transfer.idempotency_key), `the bank has two transfers of ${transfer.idempotency_key}`)
    byKey.set(transfer.idempotency_key, transfer)
    if (!payment) continue
    expect(
      transfer.amount === payment.amount,
      `${payment.id} is ${payment.amount}, but the bank paid ${transfer.amount}`,
    )
    const states = agreeing[transfer.status]
    expect(
      !states || states.includes(payment.status),
      `${payment.id} is ${payment.status}, but its transfer is ${transfer.status}`,
    )
  }
  for (const { id, status } of rows)
    expect(byKey.has(id) || ['canceled', 'failed'].includes(status), `${id} is ${status}, but the bank has no transfer`)
  const sums = new Map()
  for (const { amount, source } of emulator.bank.transactions) {
    const transfer = Object.values(source).find(value => typeof value?.transfer_id === 'string')?.transfer_id
    if (transfer) sums.set(transfer, (sums.get(transfer) ?? 0) + amount)
  }
  for (const { id, amount, status, idempotency_key: key } of emulator.transfers.all.values()) {
    const moved = { returned: 0, rejected: 0, stopped: 0, canceled: 0 }[status] ?? -amount
    const isOpen = !['submitted', 'returned', 'rejected', 'stopped', 'canceled', 'deposited'].includes(status)
    expect(isOpen || (sums.get(id) ?? 0) === moved, `${key} moved ${sums.get(id)} at the bank, not ${moved}`)
  }
  return byKey.size
}

/** Runs the commands with which an operator compares the books. */
async function checkBooks(store, env, expect) {
  const day = offset => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const statement = await runAdmin(store, env, 'payments', 'statement', day(-1), day(1))
  expect(statement.code === 0, `the statement has exceptions: ${statement.output.slice(0, 2_000)}${statement.said}`)
  const ledger = await runAdmin(store, env, 'ledger', 'check')
  expect(ledger.code === 0, `the ledger check failed: ${ledger.output.slice(0, 2_000)}${ledger.said}`)
  const matched = (JSON.parse(statement.output).runs ?? []).reduce((sum, run) => sum + run.matched, 0)
  expect(matched > 0, 'the statement has no line that agrees with a payment')
  return matched
}

/** Waits until the bank and the service have finished. Payments whose webhooks were lost are asked for a day later. */
async function settle(bank, crew, store, expect) {
  await bank.settle()
  for (const advance of ['P1D', 'P1D']) {
    await crew.ask('POST', '/simulate/clock', { advance }, randomUUID())
    const left = await finishDueJobs(store)
    expect(left === 0, `${left} due jobs did not finish`)
  }
}

/** Pays `amount` times while the process is killed before, while and after the bank creates a transfer. */
async function paymentsThroughBank({ launch, store, expect, amount }) {
  const bank = await createBank({ slow: 20, twice: 0.02, silent: 0.02, broken: 0.02 })
  try {
    const crew = await createCrew(launch, bank.env, ['all'])
    const books = await openBooks(await crew.anyone(), store, bank.env)
    bank.deliverTo(async () => (await crew.anyone()).api)
    const acknowledged = new Map()
    const counts = { canceled: 0, begun: 0 }
    let closed = null
    const isOver = () => counts.begun >= amount
    async function client() {
      while (!isOver()) {
        counts.begun += 1
        const key = randomUUID()
        const body = paymentOf(books, key)
        const reply = await crew.ask('POST', '/payments', body, key)
        if (reply.status !== 200) {
          // The account that the bank returns payments from is closed after the first return.
          const isClosed = reply.json?.error?.sub_type === 'INVALID_DESTINATION'
          closed ??= body.destination
          expect(isClosed && body.destination === closed, `a payment returned ${reply.status}: ${reply.text}`)
          books.debts = books.debts.filter(id => id !== body.destination)
          continue
        }
        acknowledged.set(reply.json.id, key)
        if (Math.random() < 0.05) {
          const { status } = await crew.ask('DELETE', `/payments/${reply.json.id}`)
          if (status === 200) counts.canceled += 1
        }
      }
    }
    async function disturb() {
      for (let round = 0; !isOver(); round += 1) {
        const kill = () => crew.killOne()
        if (round % 3 === 2) await kill()
        else await bank.interrupt(round % 3 === 0 ? 'before' : 'after', kill)
        await pause((0.5 + Math.random()) * KILL_INTERVAL_MS)
      }
    }
    const began = performance.now()
    await Promise.all([disturb(), ...Array.from({ length: CLIENTS }, client)])
    const paid = performance.now()
    await settle(bank, crew, store, expect)
    const done = performance.now()
    const rows = await store.query('select id from payments')
    expect(
      rows.length === acknowledged.size,
      `${rows.length} payments, of which ${acknowledged.size} were acknowledged`,
    )
    const transfers = await compareWithBank(bank, store, expect)
    const matched = await checkBooks(store, bank.env, expect)
    const states = await store.query('select status, count(*) as count from payments group by status order by status')
    const { met } = bank
    return (
      `${rows.length} payments in ${seconds(began, paid)} s, settled in ${seconds(paid, done)} s, ${transfers} transfers at the bank, none twice and none lost; ${counts.canceled} canceled; ` +
      `${states.map(({ status, count }) => `${count} ${status}`).join(', ')}; ${crew.kills} kills; of ${met.calls} requests ` +
      `${met.dropped} were dropped, ${met.lost} answers lost, ${met.hung} hung, ${met.broken} broken, ${met.twice} doubled; ` +
      `${bank.counts.webhooks} webhooks; ${matched} lines of the statement agree, no exception`
    )
  } finally {
    await bank.close()
  }
}

/** Waits until a payment's transfer is at the bank and the service knows it. */
async function arrive(store, id) {
  for (const until = performance.now() + ARRIVAL_MS; performance.now() < until; await pause(100)) {
    const [row] = await store.query(`select status from payments where id = '${id}'`)
    if (row && row.status !== 'pending') return row.status
  }
  return 'pending'
}

/**
 * Kills the process before each SQL statement of a payment, from the request to the bank's answer, and repeats the
 * request with the same key. Every `amount`-th statement is tried.
 */
async function paymentsKilledAtEachStep({ launch, rounds, store, expect, amount }) {
  const bank = await createBank({})
  try {
    let service = await launch(bank.env)
    const books = await openBooks(service, store, bank.env)
    // Only debts whose payments are not returned, so that each payment is accepted.
    const steady = { ...books, debts: books.debts.slice(0, 2) }
    await service.stop()
    let kills = 0
    let survived = 0
    let step = 1 - amount
    await rounds(async () => {
      // The payment has no more statements than the last one that survived.
      if (survived > 0) return
      step += amount
      const armed = { NODE_OPTIONS: `--import=${killAt}`, COUNT_FROM: 'SIGUSR2', KILL_AT: String(step) }
      const doomed = await launch({ ...bank.env, ...armed })
      const key = randomUUID()
      const body = paymentOf(steady, key)
      const pay = on => lender(on).api('POST', '/payments', body, { 'idempotency-key': key })
      doomed.kill('SIGUSR2')
      const first = await pay(doomed).catch(() => null)
      const isOver = await Promise.race([doomed.ended.then(() => false), first?.json && arrive(store, first.json.id)])
      if (isOver) {
        survived += 1
        await doomed.stop()
      } else kills += 1
      service = await launch(bank.env)
      const again = await pay(service)
      expect(again.status === 200, `step ${step}: a repeated payment returned ${again.status}: ${again.text}`)
      expect(!first || first.text === again.text, `step ${step}: a key has two different responses`)
      if (again.status === 200) {
        const status = await arrive(store, again.json.id)
        expect(status !== 'pending', `step ${step}: the payment is still pending`)
        const transfers = [...bank.emulator.transfers.all.values()].filter(
          ({ idempotency_key }) => idempotency_key === again.json.id,
        )
        expect(transfers.length === 1, `step ${step}: the bank has ${transfers.length} transfers`)
      }
      await service.stop()
    })
    const crew = await createCrew(launch, bank.env, ['all'])
    bank.deliverTo(async () => (await crew.anyone()).api)
    await settle(bank, crew, store, expect)
    const transfers = await compareWithBank(bank, store, expect)
    const matched = await checkBooks(store, bank.env, expect)
    const [{ count }] = await store.query('select count(*) as count from payments')
    expect(Number(count) === transfers, `${count} payments, but ${transfers} transfers`)
    return `${kills} kills, each before another of ${step} statements; ${count} payments, each paid once; ${matched} lines of the statement agree`
  } finally {
    await bank.close()
  }
}

export const trials = [
  {
    name: 'payments through a bank',
    run: paymentsThroughBank,
    rounds: [1, 1],
    seconds: 3_600,
    amount: [60, 10_000],
  },
  {
    name: 'payments through a bank, killed at each step',
    run: paymentsKilledAtEachStep,
    rounds: [4, 1_000],
    seconds: 1_800,
    amount: [29, 1],
    whole: true,
  },
]

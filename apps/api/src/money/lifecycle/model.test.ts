/**
 * Tests payments against an independent, handwritten model. Requests every move, legal or illegal, in every possible
 * way, and checks the ledger after each move. To run more cases, set MODEL_RUNS=1000.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SEED } from '../../testing/contract/random.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { checkLedger } from '../ledger/check.js'

/**
 * The number of runs. A misbehaving connector gets fewer runs: it responds late, and during each wait, the service
 * queries the status of every payment from earlier runs.
 */
const RUNS = Number(process.env['MODEL_RUNS'] ?? (process.env['TEST_CONNECTOR'] ? 3 : 12))

/** The statuses that can follow each status. Written independently of the code under test. */
const legal: Record<string, readonly string[]> = {
  pending: ['processing', 'canceled'],
  processing: ['sent', 'failed'],
  sent: ['posted', 'settled', 'reversal_required', 'reversal_processing', 'partial_reversal_processing'],
  posted: ['settled', 'reversal_required', 'reversal_processing', 'partial_reversal_processing'],
  reversal_required: ['reversal_processing'],
  reversal_processing: ['reversed', 'settled'],
  partial_reversal_processing: ['partially_reversed'],
}
const all = [...new Set([...Object.keys(legal), ...Object.values(legal).flat(), 'cashed'])]
const withReason = ['failed', 'reversal_required', 'reversal_processing', 'partial_reversal_processing']
const byDestination = [10006, 10008, 10009, 10010]
const disabling = [10002, 10003, 10005, 10006, 10007, 10008]
const codes = [10001, 10002, 10003, 10005, 10006, 10007, 10008, 10009, 10010]

interface Payment {
  id: string
  amount: number
  fee: number
  status: string
  code: number | null
  /** The returned amount and its recipient. Null before any return. */
  back: { part: number; toPayer: boolean; approved: boolean } | null
}

interface Model {
  payments: Payment[]
  disabled: { source: boolean; destination: boolean }
}

/** Returns the error code that a pending payment gets if its source was disabled with the given code. */
const stoppedBy = (code: number) => (code === 10002 || code === 10005 ? 10005 : 10007)

interface Real {
  source: string
  destination: string
}

const service = await testService()
const bank = lender(service)

/** The amount that a payment took from its source, and the amount that it delivered to its destination, in cents. */
function moved({ status, amount, fee, back }: Payment): [number, number] {
  const net = amount - fee
  if (['pending', 'canceled', 'failed', 'reversed'].includes(status)) return [0, 0]
  if (['processing', 'sent'].includes(status)) return [-amount, 0]
  if (['posted', 'settled'].includes(status)) return [-amount, net]
  if (status === 'partial_reversal_processing') return [-amount, net - back!.part]
  if (status === 'partially_reversed') return [back!.part - amount, net - back!.part]
  return back!.toPayer ? [-amount, 0] : [0, net]
}

async function agree(model: Model, real: Real): Promise<void> {
  await service.settle()
  for (const payment of model.payments) {
    const { status, error } = await bank.must('GET', `/payments/${payment.id}`)
    expect([status, (error as { code: number } | null)?.code ?? null]).toEqual([payment.status, payment.code])
  }
  for (const end of ['source', 'destination'] as const) {
    const { status } = await bank.must('GET', `/accounts/${real[end]}`)
    expect([end, status]).toEqual([end, model.disabled[end] ? 'disabled' : 'active'])
  }
  const rows = await service.store.reader
    .selectFrom('ledger')
    .select(['account', query => query.fn.sum<number>('amount').as('sum')])
    .where('account', 'in', [real.source, real.destination])
    .groupBy('account')
    .execute()
  const sums = new Map(rows.map(row => [row.account, Number(row.sum)]))
  const expected = model.payments.map(moved)
  const total = (side: 0 | 1) => expected.reduce((sum, pair) => sum + pair[side], 0)
  expect([sums.get(real.source) ?? 0, sums.get(real.destination) ?? 0]).toEqual([total(0), total(1)])
  expect((await checkLedger(service.deps)).faults).toEqual([])
}

/** The error from a rejected request. Undefined if the request succeeded. */
const refused = (reply: Awaited<ReturnType<typeof bank.call>>) =>
  reply.status === 200 ? undefined : reply.body.error?.sub_type

const pick = (model: Model, index: number) => model.payments[index % model.payments.length]!

/** Records a payment's new status in the model. */
function enter(model: Model, payment: Payment, to: string, code: number | null): void {
  payment.status = to
  const partial = to === 'partial_reversal_processing'
  if (code !== null && withReason.includes(to)) payment.code = code
  if (payment.back === null && (partial || to === 'reversal_required' || to === 'reversal_processing'))
    payment.back = {
      part: partial ? Math.floor((payment.amount - payment.fee) / 2) : payment.amount,
      toPayer: partial || byDestination.includes(payment.code!),
      approved: to !== 'reversal_required',
    }
  if (to === 'reversal_processing') payment.back!.approved = true
  if (code === null || !withReason.includes(to)) return
  const side = byDestination.includes(code) ? 'destination' : 'source'
  const short = model.payments.filter(each => each.code === 10001).length
  if (!disabling.includes(code) && !(code === 10001 && short >= 3)) return
  if (side === 'source' && !model.disabled.source)
    for (const each of model.payments)
      if (each.status === 'pending') Object.assign(each, { status: 'failed', code: stoppedBy(code) })
  model.disabled[side] = true
}

type Command = fc.AsyncCommand<Model, Real>
const command = (
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = model => model.payments.length > 0,
): Command => ({
  check,
  toString: () => name,
  async run(model, real) {
    await run(model, real)
    await agree(model, real)
  },
})

const create = (amount: number, fee: number): Command =>
  command(
    `pay ${amount} less ${fee}`,
    async (model, { source, destination }) => {
      const body = { amount, source, destination, description: 'x', fee: { type: 'total', amount: fee } }
      const reply = await bank.call('POST', '/payments', body)
      const refusal = model.disabled.source ? 'INVALID_SOURCE' : model.disabled.destination ? 'INVALID_DESTINATION' : ''
      if (refusal) expect(refused(reply)).toBe(refusal)
      else model.payments.push({ id: reply.body.id, amount, fee, status: 'pending', code: null, back: null })
    },
    () => true,
  )

const cancel = (index: number): Command =>
  command(`cancel ${index}`, async model => {
    const payment = pick(model, index)
    const reply = await bank.call('DELETE', `/payments/${payment.id}`)
    expect(reply.status, reply.text).toBe(payment.status === 'pending' ? 200 : 400)
    if (reply.status === 200) enter(model, payment, 'canceled', null)
    else expect(reply.body.error?.sub_type).toBe('INVALID_STATUS')
  })

const simulate = (index: number, to: string, code: number | null): Command =>
  command(`${index} → ${to} ${code ?? ''}`, async model => {
    const payment = pick(model, index)
    const reply = await bank.call('POST', `/simulate/payments/${payment.id}`, { status: to, error_code: code })
    const unsaid = withReason.includes(to) && code === null && payment.code === null
    const refusal = unsaid ? 'INVALID_REQUEST' : legal[payment.status]?.includes(to) ? undefined : 'INVALID_STATUS'
    expect([payment.status, to, refused(reply)], reply.text).toEqual([payment.status, to, refusal])
    if (refusal === undefined) enter(model, payment, to, code)
  })

/** Makes a legal move, so that many payments reach the later statuses. */
const go = (index: number, way: number, code: number): Command =>
  command(`${index} moves on, ${way} ${code}`, async model => {
    const { id, status } = pick(model, index)
    const ways = (legal[status] ?? []).filter(next => next !== 'canceled')
    const to = ways[way % ways.length]
    if (to === undefined) return
    const reply = await bank.call('POST', `/simulate/payments/${id}`, { status: to, error_code: code })
    expect(reply.status, reply.text).toBe(200)
    enter(model, pick(model, index), to, code)
  })

/** Attempts every illegal move in turn. */
const refuse = (index: number): Command =>
  command(`${index} makes no illegal move`, async model => {
    const { id, status } = pick(model, index)
    for (const to of all.filter(each => !legal[status]?.includes(each))) {
      const reply = await bank.call('POST', `/simulate/payments/${id}`, { status: to, error_code: 10009 })
      expect([status, to, refused(reply)], reply.text).toEqual([status, to, 'INVALID_STATUS'])
    }
  })

const approve = (index: number, status: string): Command =>
  command(`approve ${index} ${status}`, async model => {
    const payment = pick(model, index)
    const list = await bank.must('GET', `/payments/${payment.id}/reversals`)
    const [reversal] = list['data'] as unknown as { id: string; direction: string; amount: number }[]
    expect(reversal === undefined).toBe(payment.back === null)
    if (payment.back) {
      expect(reversal).toMatchObject({
        direction: payment.back.toPayer ? 'credit' : 'debit',
        amount: payment.back.part,
      })
    }
    const id = reversal?.id ?? 'rvs_0000000000000'
    const reply = await bank.call('PUT', `/payments/${payment.id}/reversals/${id}`, { status })
    const open = payment.back?.approved === false && status === 'pending'
    const known = payment.back !== null || status !== 'pending'
    const refusal = known ? (open ? undefined : 'INVALID_REVERSAL_STATUS') : 'NOT_FOUND'
    expect(refused(reply), reply.text).toBe(refusal)
    if (open) enter(model, payment, 'reversal_processing', null)
  })

/** Advances the clock. The rail may then make any legal move, but no other. */
const wait = (duration: string): Command =>
  command(`wait ${duration}`, async model => {
    await bank.must('POST', '/simulate/clock', { advance: duration })
    for (const payment of model.payments) {
      const events = await service.store.reader
        .selectFrom('events')
        .select('id')
        .where('resource_id', '=', payment.id)
        .execute()
      expect(events.length).toBeGreaterThan(0)
      const { status } = await bank.must('GET', `/payments/${payment.id}`)
      expect(reach(payment.status), `${payment.status} → ${status}`).toContain(status)
      payment.status = status as string
    }
  })

/** Returns every status reachable from a status, including the status itself. */
function reach(from: string): string[] {
  const found = new Set([from])
  for (const status of found) for (const next of legal[status] ?? []) found.add(next)
  return [...found]
}

const some = fc.nat({ max: 2 })
const code = fc.option(fc.constantFrom(...codes, 10001, 10009, 10009, 10010), { freq: 6 })
const commands = [
  fc.tuple(fc.integer({ min: 100, max: 100_000 }), fc.integer({ min: 0, max: 25 })).map(args => create(...args)),
  some.map(cancel),
  fc.tuple(some, fc.nat(), fc.constantFrom(10001, 10009, 10010)).map(args => go(...args)),
  fc.tuple(some, fc.nat(), fc.constantFrom(10001, 10009, 10010)).map(args => go(...args)),
  fc.tuple(some, fc.constantFrom(...all), code).map(args => simulate(...args)),
  some.map(refuse),
  some.map(refuse),
  some.map(refuse),
  fc.tuple(some, fc.constantFrom('pending', 'pending', 'sent')).map(args => approve(...args)),
  fc.constantFrom('PT3H', 'P1D', 'P4D').map(wait),
]

let number = 600_000_000
async function setup(): Promise<{ model: Model; real: Real }> {
  number += 1
  const [source, debts] = [await bank.source(String(number)), await bank.debts()]
  const begun = {
    model: { payments: [], disabled: { source: false, destination: false } } as Model,
    real: { source: source.id, destination: debts.accounts[0]!.id },
  }
  for (const fee of [0, 10, 20]) await create(5_000, fee).run(begun.model, begun.real)
  return begun
}

it('no sequence of requests leads a payment to an invalid state, and the ledger agrees after each request', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 50, size: 'max' }), async run => {
      const begun = await setup()
      await fc.asyncModelRun(() => begun, run)
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  )
})

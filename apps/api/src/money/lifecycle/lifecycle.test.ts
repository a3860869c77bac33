import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { Ports } from '@causeway/connector/ports/ports'
import { type PaymentStatus, paymentStatuses } from '@causeway/contract/resources/payment'
import { describe, expect, it } from 'vitest'
import { openStates } from '../../notify/events/states.js'
import { sealer } from '../../platform/scope.js'
import { findTeam } from '../../team/teams/store.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { statusRules } from '../payments/payment.js'

let railFails = false

const ports = (given: Ports): Ports => ({
  ...given,
  rail: {
    ...given.rail,
    async cancel(call) {
      if (railFails) throw new OutsideError('no answer')
      return given.rail.cancel(call)
    },
  },
})
const service = await testService({ ports })
const bank = lender(service)
const source = (await bank.source()).id
const card = (await bank.debts()).accounts[0]!.id
const returning = (await bank.debts('+15125550110')).accounts[1]!.id

const pay = async (from = source, to = card) =>
  (await bank.must('POST', '/payments', { amount: 5_000, source: from, destination: to, description: 'x' })).id
const get = (id: string) => bank.must('GET', `/payments/${id}`)
const simulate = (id: string, body: unknown) => bank.call('POST', `/simulate/payments/${id}`, body)
/** Returns the payment's events with their contents decrypted. */
async function told(id: string) {
  const team = (await findTeam(service.store.reader, service.team))!
  const rows = await service.store.reader
    .selectFrom('events')
    .selectAll()
    .where('resource_id', '=', id)
    .orderBy('id')
    .execute()
  const own = sealer({ deps: service.deps, team, now: 0, db: service.store.reader, after() {} })
  return rows.map(row => ({ type: row.type, ...openStates(own, row) }))
}
const statuses = async (id: string) => (await told(id)).map(event => event.data['status'])

describe('a canceled payment', () => {
  it('changes only its status, and sends an event', async () => {
    const id = await pay()
    const before = await get(id)
    const canceled = await bank.must('DELETE', `/payments/${id}`)
    const ends = { status: 'canceled', source_status: 'canceled', destination_status: 'canceled' }
    const { fund_status: _, ...rest } = before
    expect(canceled).toEqual({ ...rest, ...ends })
    expect((await told(id)).at(-1)).toMatchObject({ type: 'payment.update', before: { status: 'pending' } })
  })

  it('cannot be canceled again, and neither can a sent or unknown payment', async () => {
    const id = await pay()
    const both = await Promise.all([bank.call('DELETE', `/payments/${id}`), bank.call('DELETE', `/payments/${id}`)])
    // If the second cancel request reads the payment before the first one cancels it, the second one also succeeds.
    expect(['200 200', '200 400']).toContain(
      both
        .map(reply => reply.status)
        .sort()
        .join(' '),
    )
    expect(await get(id)).toMatchObject({ status: 'canceled' })
    expect(await bank.rejection('DELETE', `/payments/${id}`)).toBe('INVALID_STATUS')
    const left = await pay()
    await simulate(left, { status: 'processing' })
    expect(await bank.rejection('DELETE', `/payments/${left}`)).toBe('INVALID_STATUS')
    expect(await bank.rejection('DELETE', '/payments/pmt_0000000000000')).toBe('NOT_FOUND')
  })

  it('stays unchanged if the rail is unavailable', async () => {
    const id = await pay()
    railFails = true
    const reply = await bank.call('DELETE', `/payments/${id}`)
    railFails = false
    expect([reply.status, reply.body.error?.sub_type]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(await get(id)).toMatchObject({ status: 'pending' })
  })

  it('is not moved by the rail later', async () => {
    const id = await pay()
    await service.settle()
    await bank.must('DELETE', `/payments/${id}`)
    await bank.must('POST', '/simulate/clock', { advance: 'P5D' })
    expect(await statuses(id)).toEqual(['pending', 'canceled'])
  })
})

describe('a payment', () => {
  const course = async (from: string, to: string) => {
    const id = await pay(from, to)
    await bank.must('POST', '/simulate/clock', { advance: 'P14D' })
    return { id, body: await get(id), statuses: await statuses(id) }
  }

  it('moves through every step over time, with its dates and traces', async () => {
    const made = await pay()
    await bank.must('POST', '/simulate/clock', { advance: 'P1D' })
    await bank.must('POST', '/simulate/clock', { advance: 'P13D' })
    expect(await statuses(made)).toEqual(['pending', 'processing', 'sent', 'posted'])
    const body = await get(made)
    expect(body).toMatchObject({ status: 'posted', fund_status: 'posted', source_status: 'posted', error: null })
    expect(body['source_trace_id']).toMatch(/^\d{15}$/)
    expect(body['destination_trace_id']).toMatch(/^\d{15}$/)
    expect(body['destination_trace_id']).not.toBe(body['source_trace_id'])
  })

  it('skips no step when the clock jumps ahead', async () => {
    expect((await course(source, returning)).statuses).toEqual([
      'pending',
      'processing',
      'sent',
      'posted',
      'reversal_required',
    ])
  })

  it('that is rejected on submission fails, and its account is not used again', async () => {
    const from = (await bank.source('1000000004')).id
    const { body, statuses } = await course(from, card)
    expect(statuses).toEqual(['pending', 'processing', 'failed'])
    expect(body).toMatchObject({ fund_status: 'failed', source_status: 'failed', destination_status: 'canceled' })
    expect(body['error']).toMatchObject({ type: 'PAYMENT_FAILED', code: 10003 })
    const account = await bank.must('GET', `/accounts/${from}`)
    expect(account).toMatchObject({ status: 'disabled', products: [], error: { code: 11001 } })
  })

  it('fails for insufficient funds, which has no consequences the first time', async () => {
    const from = (await bank.source('1000000005')).id
    const { body, statuses } = await course(from, card)
    expect(statuses).toEqual(['pending', 'processing', 'failed'])
    expect(body['error']).toMatchObject({ code: 10001, sub_type: 'PAYMENT_INSUFFICIENT_FUNDS' })
    expect(await bank.must('GET', `/accounts/${from}`)).toMatchObject({ status: 'active' })
  })

  it('fails as unauthorized, which disables the account and holder and sends events', async () => {
    const from = await bank.source('1000000006')
    const { body } = await course(from.id, card)
    expect(body['error']).toMatchObject({ code: 10005 })
    expect(await bank.must('GET', `/accounts/${from.id}`)).toMatchObject({ status: 'disabled', error: { code: 11003 } })
    const holder = from['holder_id'] as string
    expect(await bank.must('GET', `/entities/${holder}`)).toMatchObject({ status: 'disabled', error: { code: 12001 } })
    expect((await told(from.id)).at(-1)).toMatchObject({ type: 'account.update' })
    expect((await told(holder)).at(-1)).toMatchObject({ type: 'entity.update' })
  })

  it('with a simulated failure disables only the account', async () => {
    const from = await bank.source('5550001234')
    const id = await pay(from.id)
    await simulate(id, { status: 'processing' })
    await simulate(id, { status: 'failed', error_code: 10005 })
    expect(await bank.must('GET', `/accounts/${from.id}`)).toMatchObject({ status: 'disabled', error: { code: 11003 } })
    expect(await bank.must('GET', `/entities/${from['holder_id']}`)).toMatchObject({ status: 'active', error: null })
    // Another holder's account with the same number is not affected.
    expect((await bank.source('5550001234'))['status']).toBe('active')
  })

  it('can be disputed after it was sent', async () => {
    const { body, statuses } = await course((await bank.source('1000000008')).id, card)
    expect(statuses).toEqual(['pending', 'processing', 'sent', 'reversal_required'])
    expect(body).toMatchObject({
      source_status: 'failed',
      reversal_id: expect.stringMatching(/^rvs_/),
      error: { code: 10002 },
    })
  })
})

describe('a simulated move of a payment', () => {
  const byHand: Record<string, PaymentStatus[]> = {
    pending: [],
    canceled: ['canceled'],
    processing: ['processing'],
    failed: ['processing', 'failed'],
    sent: ['processing', 'sent'],
    posted: ['processing', 'sent', 'posted'],
    settled: ['processing', 'sent', 'settled'],
    reversal_required: ['processing', 'sent', 'reversal_required'],
    reversal_processing: ['processing', 'sent', 'reversal_processing'],
    reversed: ['processing', 'sent', 'reversal_processing', 'reversed'],
    partial_reversal_processing: ['processing', 'sent', 'partial_reversal_processing'],
    partially_reversed: ['processing', 'sent', 'partial_reversal_processing', 'partially_reversed'],
  }
  const body = (status: PaymentStatus) => ({ status, error_code: 10009 })

  it('succeeds only for legal moves, from every status to every status', async () => {
    for (const [from, way] of Object.entries(byHand)) {
      const at = async () => {
        const id = await pay()
        for (const step of way) expect((await simulate(id, body(step))).status).toBe(200)
        return id
      }
      const legal = statusRules[from as PaymentStatus].next.filter(to => to !== 'cashed')
      const id = await at()
      for (const to of paymentStatuses.filter(each => !(legal as readonly string[]).includes(each))) {
        const reply = await simulate(id, body(to))
        expect([from, to, reply.body.error?.sub_type], reply.text).toEqual([from, to, 'INVALID_STATUS'])
        expect((await get(id))['status']).toBe(from)
      }
      for (const to of legal) {
        const moved = await at()
        expect([from, to, (await simulate(moved, body(to))).status]).toEqual([from, to, 200])
        expect((await get(moved))['status']).toBe(to)
      }
    }
  })

  it('can be cashed if it is paid by paper check', async () => {
    const id = await pay()
    for (const status of ['processing', 'sent'] as const) await simulate(id, { status })
    await service.store.write(tx =>
      tx.updateTable('payments').set({ destination_payment_method: 'paper' }).where('id', '=', id).execute(),
    )
    expect((await simulate(id, { status: 'cashed' })).body).toMatchObject({
      status: 'cashed',
      destination_status: 'cashed',
    })
  })

  it('requires a reason for a failure or a return: a code as a number or as a string', async () => {
    const id = await pay()
    await simulate(id, { status: 'processing' })
    for (const error_code of [undefined, null, 10004, 99999, 'x', '']) {
      const reply = await simulate(id, { status: 'failed', error_code })
      expect([reply.status, reply.body.error?.sub_type]).toEqual([400, 'INVALID_REQUEST'])
    }
    expect((await simulate(id, { status: 'failed', error_code: '10001' })).body).toMatchObject({
      error: { code: 10001 },
    })
  })

  it('requires a known status', async () => {
    const id = await pay()
    for (const status of [undefined, 'done', 5])
      expect((await simulate(id, { status })).body.error?.sub_type).toBe('INVALID_REQUEST')
  })

  it('keeps the reason when the reversal continues', async () => {
    const id = await pay()
    for (const status of ['processing', 'sent']) await simulate(id, { status })
    await simulate(id, { status: 'reversal_required', error_code: 10009 })
    const going = await simulate(id, { status: 'reversal_processing' })
    expect(going.body).toMatchObject({ status: 'reversal_processing', error: { code: 10009 } })
  })

  it('is not undone by a rail that still reports an earlier status', async () => {
    const id = await pay()
    for (const status of ['processing', 'sent', 'posted']) await simulate(id, { status })
    await bank.must('POST', '/simulate/clock', { advance: 'P5D' })
    expect(await statuses(id)).toEqual(['pending', 'processing', 'sent', 'posted'])
  })
})

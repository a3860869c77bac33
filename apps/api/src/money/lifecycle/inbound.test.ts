import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { checkLedger } from '../ledger/check.js'

const newest = { 'service-version': '2026-03-30' }
const service = await testService()
const bank = lender(service)
const account = (await bank.debts()).accounts[0]!.id
const instrument = await open('inbound_achwire_payment')

async function open(type: string): Promise<string> {
  const made = await bank.call('POST', `/accounts/${account}/payment_instruments`, { type }, newest)
  expect(made.status, made.text).toBe(200)
  return made.body.id
}
const path = (id: string) => `/simulate/payments/payment_instruments/${id}`
const receive = (body: unknown, id = instrument) => bank.call('POST', path(id), body, newest)
const rejection = async (body: unknown, id = instrument) => (await receive(body, id)).body.error?.sub_type

describe('an inbound payment through an instrument', () => {
  it('has no source, starts as processing and arrives without further calls', async () => {
    const { body } = await receive({ amount: 50, description: 'From my other bank' })
    expect(body).toMatchObject({
      source: null,
      destination: account,
      amount: 50,
      description: 'From my other bank',
      status: 'processing',
      source_status: 'processing',
      destination_status: 'pending',
      payment_instrument: instrument,
      type: 'standard',
    })
    expect((await checkLedger(service.deps)).faults).toEqual([])
    await bank.must('POST', '/simulate/clock', { advance: 'P1D' })
    await bank.must('POST', '/simulate/clock', { advance: 'P7D' })
    expect(await bank.must('GET', `/payments/${body.id}?expand[]=source&expand[]=destination`)).toMatchObject({
      status: 'posted',
      source: null,
      destination: { id: account },
    })
    const events = await service.store.reader
      .selectFrom('events')
      .select('type')
      .where('resource_id', '=', body.id)
      .orderBy('id')
      .execute()
    expect(events.map(row => row.type)).toEqual(['payment.create', 'payment.update', 'payment.update'])
    expect((await checkLedger(service.deps)).faults).toEqual([])
  })

  it('can be returned to its sender', async () => {
    const { body } = await receive({ amount: 5_000 })
    for (const status of ['sent', 'posted']) await bank.must('POST', `/simulate/payments/${body.id}`, { status })
    const back = { status: 'reversal_processing', error_code: 10009 }
    const payment = await bank.must('POST', `/simulate/payments/${body.id}`, back)
    const reversal = `/payments/${body.id}/reversals/${payment['reversal_id']}`
    expect(await bank.must('GET', reversal)).toMatchObject({ target_account: null, direction: 'credit' })
    await bank.must('POST', '/simulate/clock', { advance: 'P4D' })
    expect(await bank.must('GET', `/payments/${body.id}`)).toMatchObject({ status: 'reversed' })
    expect((await checkLedger(service.deps)).faults).toEqual([])
  })

  it('can also be created at the singular path', async () => {
    const singular = `/simulate/payments/payment_instrument/${instrument}`
    expect((await bank.call('POST', singular, { amount: 1 }, newest)).status).toBe(200)
  })

  it('requires an amount in cents', async () => {
    expect(await rejection({})).toBe('INVALID_REQUEST')
    expect(await rejection({ amount: '5' })).toBe('INVALID_AMOUNT_TYPE')
    expect(await rejection({ amount: 0.5 })).toBe('INVALID_AMOUNT_TYPE')
    expect(await rejection({ amount: 0 })).toBe('INVALID_AMOUNT')
    expect(await rejection({ amount: 100_000_001 })).toBe('INVALID_AMOUNT')
    expect(await rejection({ amount: 5, description: 5 })).toBe('INVALID_REQUEST')
  })

  it('requires an open instrument of this team', async () => {
    expect(await rejection({ amount: 5 }, 'pmt_inst_0000000000000')).toBe('NOT_FOUND')
    const other = lender(service, (await service.anotherTeam()).key)
    expect((await other.call('POST', path(instrument), { amount: 5 }, newest)).status).toBe(404)
    const closed = await open('inbound_achwire_payment')
    await bank.call('DELETE', `/accounts/${account}/payment_instruments/${closed}`, undefined, newest)
    expect(await rejection({ amount: 5 }, closed)).toBe('INVALID_STATUS')
  })

  it('does not exist in an earlier version', async () => {
    const headers = {
      authorization: `Bearer ${service.key}`,
      'content-type': 'application/json',
      'service-version': '2025-07-04',
    }
    const request = new Request(`http://127.0.0.1:4000${path(instrument)}`, { method: 'POST', headers, body: '{}' })
    expect((await service.app.api.fetch(request)).status).toBe(404)
  })
})

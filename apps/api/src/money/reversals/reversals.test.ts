import { reversal as schema } from '@causeway/contract/resources/payment'
import { afterEach, describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { checkLedger } from '../ledger/check.js'

const service = await testService()
const bank = lender(service)
const source = (await bank.source()).id
const card = (await bank.debts()).accounts[0]!.id
afterEach(async () => expect((await checkLedger(service.deps)).faults).toEqual([]))

const pay = async (more: Record<string, unknown> = {}) =>
  (await bank.must('POST', '/payments', { amount: 5_000, source, destination: card, description: 'x', ...more })).id
const advance = (by: string) => bank.must('POST', '/simulate/clock', { advance: by })
const get = (id: string) => bank.must('GET', `/payments/${id}`)
const simulate = (id: string, body: unknown) => bank.must('POST', `/simulate/payments/${id}`, body)
const list = async (id: string) =>
  (await bank.must('GET', `/payments/${id}/reversals`))['data'] as unknown as Record<string, unknown>[]
/** Makes a payment that is then returned. */
async function returned(error_code: number, more: Record<string, unknown> = {}, status = 'reversal_required') {
  const id = await pay(more)
  for (const step of ['processing', 'sent', 'posted']) await simulate(id, { status: step })
  const payment = await simulate(id, { status, error_code })
  return { id, path: `/payments/${id}/reversals/${payment['reversal_id']}` }
}

describe('a returned payment', () => {
  it('has a reversal that awaits approval, with its exact keys', async () => {
    const { id, path } = await returned(10009)
    const [only, ...more] = await list(id)
    expect(more).toEqual([])
    expect(await bank.must('GET', path)).toEqual(only)
    // Version 2024-04-04 has no fee.
    expect(Object.keys(only!)).toEqual(Object.keys(schema.shape).filter(name => name !== 'fee'))
    expect(only).toMatchObject({
      pmt_id: id,
      target_account: source,
      direction: 'credit',
      description: 'PmtRvrsl',
      amount: 5_000,
      status: 'pending_approval',
      trace_id: null,
      error: null,
    })
  })

  it('continues once after approval, and is reversed that evening', async () => {
    const { id, path } = await returned(10009)
    const approved = await bank.must('PUT', path, { status: 'pending', description: 'Back' })
    expect(approved).toMatchObject({ status: 'pending', description: 'Back' })
    expect(await get(id)).toMatchObject({ status: 'reversal_processing' })
    expect(await bank.rejection('PUT', path, { status: 'pending' })).toBe('INVALID_REVERSAL_STATUS')
    await advance('P1D')
    expect(await get(id)).toMatchObject({ status: 'reversed', source_status: 'reversed' })
    expect(await bank.must('GET', path)).toMatchObject({ status: 'sent', trace_id: expect.stringMatching(/^\d{15}$/) })
    const told = await service.store.reader
      .selectFrom('events')
      .select('type')
      .where('resource_id', '=', approved.id)
      .orderBy('id')
      .execute()
    expect(told.map(row => row.type)).toEqual([
      'payment_reversal.create',
      'payment_reversal.update',
      'payment_reversal.update',
      'payment_reversal.update',
    ])
  })

  it('accepts one of two simultaneous approvals', async () => {
    const { path } = await returned(10009)
    const both = await Promise.all([1, 2].map(() => bank.call('PUT', path, { status: 'pending' })))
    expect(both.map(reply => reply.status).sort()).toEqual([200, 400])
  })

  it('reversed by the payer leaves the debt paid and debits the payer again', async () => {
    const { id, path } = await returned(10001)
    expect(await bank.must('GET', path)).toMatchObject({ direction: 'debit', target_account: source })
    const before = (await checkLedger(service.deps)).receivable
    expect(before).toEqual({ payments: before.payments, cents: before.payments * 5_000 })
    expect(before.payments).toBeGreaterThan(0)
    await bank.must('PUT', path, { status: 'pending' })
    await advance('P1D')
    expect(await get(id)).toMatchObject({ status: 'settled' })
    expect((await checkLedger(service.deps)).receivable.payments).toBe(before.payments - 1)
  })

  it('is sent to the account for reversals, if one was given', async () => {
    const other = (await bank.source('555555555')).id
    const { id, path } = await returned(10009, { reversal_account: other })
    expect(await bank.must('GET', path)).toMatchObject({ target_account: other })
    await bank.must('PUT', path, { status: 'pending' })
    await advance('P1D')
    expect(await get(id)).toMatchObject({ status: 'reversed' })
    const rows = await service.store.reader.selectFrom('ledger').selectAll().where('account', '=', other).execute()
    expect(rows).toMatchObject([{ payment_id: id, amount: 5_000 }])
  })

  it('that is partial has the returned amount on its reversal, and needs no approval', async () => {
    const id = await pay({ fee: { type: 'total', amount: 100 } })
    for (const status of ['processing', 'sent']) await simulate(id, { status })
    const part = { status: 'partial_reversal_processing', error_code: 10010 }
    expect(await bank.rejection('POST', `/simulate/payments/${id}`, { ...part, amount: 4_900 })).toBe('INVALID_REQUEST')
    await simulate(id, { ...part, amount: 1_200 })
    expect(await list(id)).toMatchObject([{ amount: 1_200, status: 'pending', direction: 'credit' }])
    await advance('P1D')
    expect(await get(id)).toMatchObject({ status: 'partially_reversed', amount: 5_000 })
    expect(await list(id)).toMatchObject([{ status: 'sent' }])
  })

  it('is rejected more than sixty days after it posted', async () => {
    const id = await pay()
    for (const status of ['processing', 'sent', 'posted']) await simulate(id, { status })
    await advance('P61D')
    const body = { status: 'reversal_required', error_code: 10002 }
    expect(await bank.rejection('POST', `/simulate/payments/${id}`, body)).toBe('INVALID_STATUS')
  })
})

describe('an approval', () => {
  it('requires the pending status and a description of at most ten characters', async () => {
    const { path } = await returned(10009)
    expect(await bank.rejection('PUT', path, {})).toBe('INVALID_REQUEST')
    expect((await bank.call('PUT', path, { status: 'sent' })).body.error).toMatchObject({
      sub_type: 'INVALID_REVERSAL_STATUS',
      message: 'status must be pending.',
    })
    const long = { status: 'pending', description: 'elevenchars' }
    expect(await bank.rejection('PUT', path, long)).toBe('INVALID_ACH_DESCRIPTION')
    expect(await bank.must('GET', path)).toMatchObject({ status: 'pending_approval' })
  })

  it('applies only to a reversal of its own payment and team', async () => {
    const [one, two] = [await returned(10009), await returned(10009)]
    const crossed = one.path.replace(one.id, two.id)
    expect(await bank.rejection('PUT', crossed, { status: 'pending' })).toBe('NOT_FOUND')
    expect(await bank.rejection('GET', `/payments/${one.id}/reversals/rvs_0000000000000`)).toBe('NOT_FOUND')
    expect(await bank.rejection('GET', '/payments/pmt_0000000000000/reversals')).toBe('NOT_FOUND')
    const other = lender(service, (await service.anotherTeam()).key)
    expect(await other.rejection('GET', one.path)).toBe('NOT_FOUND')
    expect(await other.rejection('PUT', one.path, { status: 'pending' })).toBe('NOT_FOUND')
    expect(await other.rejection('GET', `/payments/${one.id}/reversals`)).toBe('NOT_FOUND')
  })

  it('is not needed after a simulated move past that step', async () => {
    const { id } = await returned(10009, {}, 'reversal_processing')
    expect(await list(id)).toMatchObject([{ status: 'pending' }])
    await simulate(id, { status: 'reversed' })
    expect(await list(id)).toMatchObject([{ status: 'sent' }])
    await advance('P1D')
    expect(await get(id)).toMatchObject({ status: 'reversed' })
  })
})

/** Tests the account numbers in docs/sandbox.md, which determine the outcomes of a payment and its reversal. */
describe('in the sandbox, by source number,', () => {
  const course = async (number: string, by: string) => {
    const id = await pay({ source: (await bank.source(number)).id })
    await advance(by)
    return { id, payment: await get(id) }
  }

  it.each([
    ['1000000011', 'canceled', 10004, 'P7D'],
    ['1000000014', 'reversal_required', 10010, 'P7D'],
  ])('%s ends as %s with %i', async (number, status, code, by) => {
    expect((await course(number, by)).payment).toMatchObject({ status, error: { code } })
  })

  it('1000000015 is returned with 10002 long after it was posted', async () => {
    const { id, payment } = await course('1000000015', 'P40D')
    expect(payment).toMatchObject({ status: 'posted' })
    await advance('P25D')
    expect(await get(id)).toMatchObject({ status: 'reversal_required', error: { code: 10002 } })
  })

  it('1000000016 is partially returned with 10010', async () => {
    const { id, payment } = await course('1000000016', 'P7D')
    expect(payment).toMatchObject({ status: 'partial_reversal_processing', error: { code: 10010 } })
    await advance('P4D')
    expect(await get(id)).toMatchObject({ status: 'partially_reversed' })
    expect(await list(id)).toMatchObject([{ amount: 100, status: 'sent' }])
  })

  // kills: failed-reversal-is-not-sent
  it.each([
    ['1000000017', 10001, 14001],
    ['1000000018', 10002, 14002],
    ['1000000019', 10003, 14003],
  ])('%s is returned with %i, and its reversal fails with %i', async (number, code, reversal) => {
    const { id, payment } = await course(number, 'P7D')
    expect(payment).toMatchObject({ status: 'reversal_required', error: { code } })
    await bank.must('PUT', `/payments/${id}/reversals/${payment['reversal_id']}`, { status: 'pending' })
    await advance('P4D')
    expect(await list(id)).toMatchObject([{ status: 'failed', error: { code: reversal } }])
    expect(await get(id)).toMatchObject({ status: 'reversal_processing' })
    expect(await bank.rejection('POST', `/simulate/payments/${id}`, { status: 'reversed' })).toBe('INVALID_STATUS')
  })

  it.each([
    ['1000000012', 10006, 11003],
    ['1000000013', 10008, 11001],
  ])('%s is returned with %i, and the destination is disabled with %i', async (number, code, disabled) => {
    const debts = await bank.debts()
    const destination = debts.accounts[0]!.id
    const id = await pay({ source: (await bank.source(number)).id, destination })
    await advance('P7D')
    expect(await get(id)).toMatchObject({ status: 'reversal_required', destination_status: 'failed', error: { code } })
    const account = await bank.must('GET', `/accounts/${destination}`)
    expect(account).toMatchObject({ status: 'disabled', error: { code: disabled } })
  })

  it('three payments with insufficient funds disable the account', async () => {
    const from = (await bank.source('1000000005')).id
    const status = async () => (await bank.must('GET', `/accounts/${from}`))['status']
    for (const expected of ['active', 'active', 'disabled']) {
      await pay({ source: from })
      await advance('P4D')
      expect(await status()).toBe(expected)
    }
  })
})

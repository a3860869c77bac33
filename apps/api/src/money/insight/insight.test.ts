import { describe, expect, it } from 'vitest'
import { createKey } from '../../team/teams/keys.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { explain } from './explain.js'

const service = await testService()
const bank = lender(service)
const source = (await bank.source()).id
const card = (await bank.debts()).accounts[0]!.id

const pay = async () =>
  (await bank.must('POST', '/payments', { amount: 5_000, source, destination: card, description: 'x' })).id
const move = (id: string, body: Record<string, unknown>) => bank.must('POST', `/simulate/payments/${id}`, body)
const explained = (id: string) => bank.must('GET', `/payments/${id}/explanation`)
const posted = (id: string) => bank.must('GET', `/payments/${id}/postings`)

describe("a payment's ledger", () => {
  it('shows every posting in order, and agrees with the status', async () => {
    const id = await pay()
    expect(await posted(id)).toEqual({ data: [], sum: 0, agrees: true })
    await move(id, { status: 'processing' })
    service.advance(1_000)
    await move(id, { status: 'sent' })
    const { data, sum, agrees } = await posted(id)
    expect([sum, agrees]).toEqual([0, true])
    expect((data as Record<string, unknown>[]).map(({ leg, account, amount }) => [leg, account, amount])).toEqual([
      ['processing', source, -5_000],
      ['processing', 'clearing', 5_000],
      ['sent', 'transit', 5_000],
      ['sent', 'clearing', -5_000],
    ])
  })

  it('reports a posting that does not match the status', async () => {
    const id = await pay()
    await service.store.write(tx =>
      tx
        .insertInto('ledger')
        .values({
          team_id: service.team,
          payment_id: id,
          leg: 'sent.9',
          account: source,
          amount: 1,
          created_at: 1,
        })
        .execute(),
    )
    expect(await posted(id)).toMatchObject({ sum: 1, agrees: false })
  })
})

describe("a payment's explanation", () => {
  it('follows the money and lists the available actions', async () => {
    const id = await pay()
    expect(await explained(id)).toEqual({
      cause: null,
      money: { place: 'source', amount: 5_000, account: source },
      reversal: null,
      consequences: ['destination_unpaid'],
      actions: [{ name: 'cancel', allowed: true, why_not: null }],
    })
    await move(id, { status: 'processing' })
    expect(await explained(id)).toMatchObject({
      money: { place: 'clearing', account: card },
      actions: [{ name: 'cancel', allowed: false, why_not: 'ALREADY_SUBMITTED' }],
    })
    await move(id, { status: 'sent' })
    expect(await explained(id)).toMatchObject({ money: { place: 'transit', account: card } })
    await move(id, { status: 'posted' })
    expect(await explained(id)).toMatchObject({
      money: { place: 'destination', account: card },
      consequences: ['destination_paid'],
      actions: [],
    })
  })

  it('names the cause and side of a return until the money is returned', async () => {
    const id = await pay()
    for (const status of ['processing', 'sent']) await move(id, { status })
    await move(id, { status: 'reversal_required', error_code: 10009 })
    const before = await explained(id)
    expect(before).toMatchObject({
      cause: { code: 10009, side: 'destination' },
      money: { place: 'clearing', amount: 5_000, account: source },
      reversal: { direction: 'credit', status: 'pending_approval' },
      consequences: ['destination_unpaid', 'others_unaffected'],
      actions: [{ name: 'approve_reversal', allowed: true, why_not: null }],
    })
    const { reversal_id } = await bank.must('GET', `/payments/${id}`)
    await bank.must('PUT', `/payments/${id}/reversals/${reversal_id}`, { status: 'pending' })
    expect(await explained(id)).toMatchObject({ money: { place: 'transit' }, actions: [] })
    expect(await posted(id)).toMatchObject({ sum: 0, agrees: true })
  })

  it("says that the debt stays paid, and who is debited, if the payer's bank reversed the payment", async () => {
    const id = await pay()
    for (const status of ['processing', 'sent', 'posted']) await move(id, { status })
    await move(id, { status: 'reversal_required', error_code: 10001 })
    expect(await explained(id)).toMatchObject({
      cause: { code: 10001, side: 'source' },
      money: { place: 'receivable', account: source },
      reversal: { direction: 'debit', status: 'pending_approval' },
      consequences: ['destination_paid', 'others_unaffected'],
    })
    const { reversal_id } = await bank.must('GET', `/payments/${id}`)
    await bank.must('PUT', `/payments/${id}/reversals/${reversal_id}`, { status: 'pending' })
    await bank.must('POST', '/simulate/clock', { advance: 'P1D' })
    expect(await explained(id)).toMatchObject({
      money: { place: 'destination', account: card },
      reversal: { direction: 'debit', status: 'sent' },
    })
  })

  it('says, if the bank account was debited for the reversal, that the payer has the money', () => {
    const known = {
      status: 'reversed',
      held: false,
      amount: 5_000,
      source: 'acc_payer',
      destination: 'acc_payee',
      error: 10005,
      reversal: { direction: 'debit', target: 'acc_payee', amount: 5_000, status: 'sent' },
      disabled: { source: false, destination: false },
      stopped: false,
      mayPay: true,
    } as const
    expect(explain(known)).toMatchObject({
      money: { place: 'returned', account: 'acc_payer' },
      consequences: ['destination_unpaid', 'others_unaffected'],
    })
    expect(explain({ ...known, status: 'reversal_processing' }).money).toEqual({
      place: 'receivable',
      amount: 5_000,
      account: 'acc_payee',
    })
  })

  it('marks actions as not allowed for a key without the payments scope, and returns 404 for another team', async () => {
    const id = await pay()
    const { value } = await service.store.write(tx => createKey(tx, service.team, 0, { scopes: ['read'] }))
    const reply = await lender(service, value).must('GET', `/payments/${id}/explanation`)
    expect(reply['actions']).toEqual([{ name: 'cancel', allowed: false, why_not: 'NEEDS_PAYMENTS_SCOPE' }])
    const other = lender(service, (await service.anotherTeam()).key)
    for (const part of ['explanation', 'postings'])
      expect((await other.call('GET', `/payments/${id}/${part}`)).status).toBe(404)
  })

  it('offers a new payment after a failure, unless payments are stopped', async () => {
    const id = await pay()
    await move(id, { status: 'processing' })
    await move(id, { status: 'failed', error_code: 10001 })
    expect(await explained(id)).toMatchObject({
      cause: { code: 10001, side: 'source' },
      money: { place: 'source', account: source },
      actions: [{ name: 'retry', allowed: true }],
    })
    const stop = (at: number | null) =>
      service.store.write(tx =>
        tx.updateTable('teams').set({ payments_stopped_at: at }).where('id', '=', service.team).execute(),
      )
    await stop(1)
    service.advance(2_000)
    expect(await explained(id)).toMatchObject({ actions: [{ name: 'retry', why_not: 'PAYMENTS_STOPPED' }] })
    await stop(null)
    service.advance(2_000)
  })
})

it('a list of payments filters by session, and by payments on hold', async () => {
  const of = async (query: string) => (await bank.must('GET', `/payments?${query}`))['data'] as { id: string }[]
  const { id } = await bank.must('POST', '/payments', { amount: 700, source, destination: card, description: 'x' })
  expect(await of('session_id=osess_4kYq8ZbT1mXd0')).toEqual([])
  expect(await of('fund_status=hold')).toEqual([])
  await service.store.write(tx =>
    tx
      .updateTable('payments')
      .set({ fund_status: 'hold' })
      .where('team_id', '=', service.team)
      .where('id', '=', id as string)
      .execute(),
  )
  expect((await of('fund_status=hold')).map(each => each.id)).toEqual([id])
  expect((await bank.call('GET', '/payments?fund_status=pending')).status).toBe(400)
})

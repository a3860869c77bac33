import { payment as schema } from '@causeway/contract/resources/payment'
import { NEWEST_VERSION } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import type { TeamSettings } from '../../platform/team.js'
import { findTeam, updateTeam } from '../../team/teams/store.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const bank = lender(service)
const source = (await bank.source()).id
const { entity, accounts } = await bank.debts()
const debtor = entity
const card = accounts[0]!.id

const good = (more: Record<string, unknown> = {}) => ({
  amount: 5_000,
  source,
  destination: card,
  description: 'Payoff',
  ...more,
})
const create = (more: Record<string, unknown> = {}) => bank.must('POST', '/payments', good(more))
const refused = (more: Record<string, unknown>) => bank.rejection('POST', '/payments', good(more))
const count = async (table: 'payments' | 'events' | 'jobs') =>
  (await service.store.reader.selectFrom(table).select('id').execute()).length

async function settings(change: Partial<TeamSettings>): Promise<void> {
  const now = (await findTeam(service.store.reader, service.team))!
  await service.store.write(tx =>
    updateTeam(tx, now.id, { settings: { ...now.settings, ...change } }, service.deps.clock()),
  )
  service.deps.access.forget(service.team)
}

describe('creating a payment', () => {
  it('4.11.1 a payment is created from amount, source, destination and description', async () => {
    const body = await create()
    expect(body).toMatchObject({
      source,
      destination: card,
      amount: 5_000,
      description: 'Payoff',
      status: 'pending',
      source_status: 'pending',
      destination_status: 'pending',
      source_settlement_date: '2026-03-02',
      destination_settlement_date: '2026-03-04',
      estimated_completion_date: '2026-03-04',
      fee: null,
      type: 'standard',
      error: null,
      metadata: null,
      reversal_id: null,
    })
    expect(body.id).toMatch(/^pmt_\w{13}$/)
    expect(Object.keys(body).sort()).toEqual(
      [
        'id source destination amount description status estimated_completion_date source_trace_id source_settlement_date',
        'source_status destination_trace_id destination_settlement_date destination_status reversal_id fee type error',
        'metadata created_at updated_at',
      ]
        .join(' ')
        .split(' ')
        .sort(),
    )
  })

  it("returns the latest version's contract format, with its key", async () => {
    const made = await bank.call('POST', '/payments', good(), {
      'service-version': '2026-03-30',
      'idempotency-key': 'newest',
    })
    expect(schema.parse(made.body)).toMatchObject({
      idempotency_key: 'newest',
      destination_payment_method: 'electronic',
    })
  })

  it('omits fund_status, which only reading the payment returns', async () => {
    const made = await create()
    expect(made).not.toHaveProperty('fund_status')
    expect(await bank.must('GET', `/payments/${made.id}`)).toEqual({ ...made, fund_status: 'pending' })
  })

  it('returns fee and metadata as given', async () => {
    const made = await create({ fee: { type: 'markup', amount: 5_000 }, metadata: { loan: 'L-1' } })
    expect(made).toMatchObject({ fee: { type: 'markup', amount: 5_000 }, metadata: { loan: 'L-1' }, amount: 5_000 })
  })

  it('with dry_run returns the payment and stores nothing', async () => {
    const before = [await count('payments'), await count('events'), await count('jobs')]
    const body = await create({ dry_run: true })
    expect(body).toMatchObject({ status: 'pending', amount: 5_000 })
    expect(await bank.rejection('GET', `/payments/${body.id}`)).toBe('NOT_FOUND')
    expect(await refused({ dry_run: true, amount: 1 })).toBe('INVALID_AMOUNT')
    expect([await count('payments'), await count('events'), await count('jobs')]).toEqual(before)
  })
})

describe('validating a new payment', () => {
  it.each([
    ['a missing amount', { amount: undefined }, 'INVALID_REQUEST'],
    ['a missing description', { description: undefined }, 'INVALID_REQUEST'],
    ['a missing source', { source: undefined }, 'INVALID_REQUEST'],
    ['a source that is not a string', { source: 7 }, 'INVALID_REQUEST'],
    ['a fee of an unknown type', { fee: { type: 'tip', amount: 1 } }, 'INVALID_REQUEST'],
    ['a fee above the amount', { fee: { type: 'total', amount: 5_001 } }, 'INVALID_REQUEST'],
    ['an amount as a string', { amount: '5000' }, 'INVALID_AMOUNT_TYPE'],
    ['a fractional amount', { amount: 50.5 }, 'INVALID_AMOUNT_TYPE'],
    ['an unsafe integer as amount', { amount: 2 ** 53 }, 'INVALID_AMOUNT_TYPE'],
    ['null as amount', { amount: null }, 'INVALID_AMOUNT_TYPE'],
    ['an amount of 99 cents', { amount: 99 }, 'INVALID_AMOUNT'],
    ['a negative amount', { amount: -5_000 }, 'INVALID_AMOUNT'],
    ['an amount of one cent over a million dollars', { amount: 100_000_001 }, 'INVALID_AMOUNT'],
    ['a description of eleven characters', { description: 'elevenchars' }, 'INVALID_ACH_DESCRIPTION'],
    ['a description that is not a string', { description: 5 }, 'INVALID_ACH_DESCRIPTION'],
    ['8 metadata of 1,024 bytes', { metadata: { a: 'x'.repeat(1_016) } }, 'MAX_PAYMENT_METADATA_SIZE_EXCEEDED'],
    ['metadata that is not an object', { metadata: 'x' }, 'INVALID_REQUEST'],
    ['an unknown source', { source: 'acc_0000000000000' }, 'INVALID_SOURCE'],
    ['an unknown destination', { destination: 'acc_0000000000000' }, 'INVALID_DESTINATION'],
    ['an unknown account for reversals', { reversal_account: 'acc_0000000000000' }, 'INVALID_REQUEST'],
  ])('rejects %s', async (_what, change, sub_type) => expect(await refused(change)).toBe(sub_type))

  it('8 metadata of 1,023 bytes is accepted', async () => {
    const metadata = { a: 'x'.repeat(1_015) }
    expect((await create({ metadata }))['metadata']).toEqual(metadata)
  })

  it('treats the amount and description limits as inclusive', async () => {
    await create({ amount: 100 })
    await create({ amount: 100_000_000 })
    await create({ description: 'tencharact' })
  })

  it('rejects the same account as source and destination', async () =>
    expect(await refused({ destination: source })).toBe('INVALID_TRANSFER'))

  it('rejects a source that is a liability', async () =>
    expect(await refused({ source: card, destination: source })).toBe('INVALID_SOURCE_LIABILITY'))

  it('rejects a source that is not active', async () => {
    const other = await bank.source()
    await service.store.write(tx =>
      tx.updateTable('accounts').set({ status: 'closed' }).where('id', '=', other.id).execute(),
    )
    expect(await refused({ source: other.id })).toBe('INVALID_SOURCE')
  })

  it('rejects a source whose holder is not active', async () => {
    const person = await bank.must('POST', '/entities', { type: 'individual', individual: { first_name: 'Ana' } })
    const ach = { routing: '062103000', number: '123456789', type: 'savings' }
    const account = await bank.must('POST', '/accounts', { holder_id: person.id, type: 'ach', ach })
    expect(await refused({ source: account.id })).toBe('INVALID_SOURCE_HOLDER')
  })

  it('rejects a source that is not verified', async () => {
    const other = await bank.source()
    await service.store.write(tx =>
      tx.updateTable('accounts').set({ verified_at: null }).where('id', '=', other.id).execute(),
    )
    expect(await refused({ source: other.id })).toBe('INVALID_SOURCE_CAPABILITIES')
  })

  it('rejects a destination that cannot receive payments, needs its number or has no debt', async () => {
    const { accounts } = await bank.debts('+15125550100')
    const [, needsNumber, , unreachable, empty] = accounts.map(account => account.id)
    expect(await refused({ destination: unreachable })).toBe('INVALID_DESTINATION_CAPABILITIES')
    expect(await refused({ destination: needsNumber })).toBe('INVALID_DESTINATION_CAPABILITIES')
    await create({ destination: empty })
    await bank.must('POST', `/accounts/${empty}/balances`)
    await service.settle()
    expect(await refused({ destination: empty })).toBe('INVALID_DESTINATION_BALANCE')
  })

  it('rejects a destination whose holder is disabled', async () => {
    const set = (status: 'active' | 'disabled') =>
      service.store.write(tx => tx.updateTable('entities').set({ status }).where('id', '=', debtor).execute())
    await set('disabled')
    expect(await refused({})).toBe('INVALID_DESTINATION_HOLDER')
    await set('active')
  })

  it('rejects an ach destination if the team is not enabled for it', async () => {
    const other = await bank.source()
    expect(await refused({ destination: other.id })).toBe('INVALID_ACH_DESTINATION_NOT_ALLOWED')
    await settings({ ach_destinations: true })
    await create({ destination: other.id })
    await settings({ ach_destinations: false })
  })

  it('rejects a payment if the team lacks the payment product', async () => {
    await settings({ products: ['balance'] })
    expect(await refused({})).toBe('INVALID_SOURCE_HOLDER_CAPABILITIES')
    await settings({ products: ['balance', 'update', 'payment', 'connect', 'payment_instrument'] })
  })

  it("returns the rail's rejections: insufficient funds, its own limit, no reason", async () => {
    const poor = await bank.source('1000000001')
    expect(await refused({ source: poor.id, amount: 5_001 })).toBe('INSUFFICIENT_FUNDS')
    await create({ source: poor.id, amount: 5_000 })
    const capped = await bank.source('1000000003')
    expect(await refused({ source: capped.id, amount: 100_001 })).toBe('MAX_AMOUNT_EXCEEDED')
    const closed = await bank.source('1000000002')
    expect(await refused({ source: closed.id })).toBe('PAYMENT_REFUSED_BY_RAIL')
  })

  it("enforces the team's limits: the amount per payment and the number of payments per month", async () => {
    await settings({ limits: { payment_amount_max: 5_000, payments_per_month: null, sensitive_reads_per_day: null } })
    expect(await refused({ amount: 5_001 })).toBe('MAX_AMOUNT_EXCEEDED')
    await create()
    const made = await count('payments')
    await settings({
      limits: { payment_amount_max: null, payments_per_month: made + 3, sensitive_reads_per_day: null },
    })
    const replies = await Promise.all(Array.from({ length: 8 }, () => bank.call('POST', '/payments', good())))
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(3)
    expect(replies.filter(reply => reply.body.error?.sub_type === 'MAX_REQUEST_LIMIT')).toHaveLength(5)
    expect(await refused({ dry_run: true })).toBe('MAX_REQUEST_LIMIT')
    await settings({ limits: { payment_amount_max: null, payments_per_month: null, sensitive_reads_per_day: null } })
  })

  it('does not count inbound and canceled payments toward the limit', async () => {
    await settings({
      limits: {
        payment_amount_max: null,
        payments_per_month: (await count('payments')) + 2,
        sensitive_reads_per_day: null,
      },
    })
    const { id } = await create()
    const instruments = `/accounts/${card}/payment_instruments`
    const newest = { 'service-version': NEWEST_VERSION }
    const { body } = await bank.call('POST', instruments, { type: 'inbound_achwire_payment' }, newest)
    for (const amount of [5_000, 6_000]) {
      const path = `/simulate/payments/payment_instruments/${body.id}`
      expect((await bank.call('POST', path, { amount }, newest)).status).toBe(200)
    }
    const last = await create()
    expect(await refused({})).toBe('MAX_REQUEST_LIMIT')
    await bank.must('DELETE', `/payments/${last.id}`)
    await create()
    expect(await refused({})).toBe('MAX_REQUEST_LIMIT')
    await bank.must('DELETE', `/payments/${id}`)
    await create()
    await settings({ limits: { payment_amount_max: null, payments_per_month: null, sensitive_reads_per_day: null } })
  })

  it("rejects another team's accounts", async () => {
    const other = lender(service, (await service.anotherTeam()).key)
    const mine = (await other.source()).id
    expect(await other.rejection('POST', '/payments', good())).toBe('INVALID_SOURCE')
    expect(await other.rejection('POST', '/payments', good({ source: mine }))).toBe('INVALID_DESTINATION')
  })

  it('reports one problem at a time, starting with the cheapest check', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ fee: 'x' }, 'INVALID_REQUEST'],
      [{ amount: '1' }, 'INVALID_AMOUNT_TYPE'],
      [{ amount: 1 }, 'INVALID_AMOUNT'],
      [{ description: 'much too long' }, 'INVALID_ACH_DESCRIPTION'],
      [{ metadata: { a: 'x'.repeat(2_000) } }, 'MAX_PAYMENT_METADATA_SIZE_EXCEEDED'],
      [{ source: 'acc_x', destination: 'acc_x' }, 'INVALID_TRANSFER'],
      [{ source: 'acc_x' }, 'INVALID_SOURCE'],
      [{ destination: 'acc_y' }, 'INVALID_DESTINATION'],
    ]
    for (const [index, [, sub_type]] of wrong.entries()) {
      const rest = wrong.slice(index).map(([change]) => change)
      expect(await refused(Object.assign({}, ...rest.reverse()))).toBe(sub_type)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { errorOf, NEWEST, rejectionOf } from '../../../testing/contract/cases.js'
import { lender } from '../../../testing/money.js'
import { testService } from '../../../testing/service.js'

const service = await testService()
const bank = lender(service)
const debts = await bank.debts()
const entity = debts.entity
const cards: { id: string }[] = debts.accounts
const ach = (await bank.source()).id

const newest = { 'service-version': NEWEST }
/** Returns the sub_type and the message of a rejection. */
async function refused(method: string, path: string, body?: unknown, headers: Record<string, string> = newest) {
  const reply = await service.call(method, path, body, headers)
  return [rejectionOf(reply), errorOf(reply.body).message]
}

describe('an error states the requirement for', () => {
  it('a simulated event without the required id', async () => {
    const event = (body: unknown) => refused('POST', '/simulate/events', body)
    expect(await event({ type: 'account.opened' })).toEqual([
      'INVALID_REQUEST',
      'entity_id is required for every type except account.closed.',
    ])
    expect(await event({ type: 'account.closed', entity_id: entity })).toEqual([
      'INVALID_REQUEST',
      'account_id is required for account.closed.',
    ])
    expect(await event({ type: 'credit_score.increased', entity_id: entity })).toEqual([
      'SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION',
      `The entity has no active subscription to credit_score. Enroll it with POST /entities/${entity}/subscriptions first.`,
    ])
  })

  it('a simulated transaction without the subscription', async () => {
    const [sub_type, message] = await refused('POST', `/simulate/accounts/${cards[0]!.id}/transactions`, {})
    expect(sub_type).toBe('SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION')
    expect(message).toContain('no active subscription to transaction')
  })

  it('a product that requires verification, with the type of verification', async () => {
    const [sub_type, message] = await refused('POST', `/accounts/${cards[0]!.id}/payment_instruments`, { type: 'card' })
    expect(sub_type).toBe('PRODUCT_VERIFICATION_MISSING')
    expect(message).toBe(
      'The account must be verified before this product can be used. Create a verification session of type network.',
    )
  })

  it('a subscription without a payload', async () => {
    expect(await refused('POST', `/entities/${entity}/subscriptions`, { enroll: 'attribute' })).toEqual([
      'INVALID_REQUEST',
      'payload is required for the product attribute, for example: { "attributes": { "requested_attributes": ["..."] } }.',
    ])
  })

  it('an invalid time', async () => {
    const hook = await bank.must('POST', '/webhooks', { type: 'payment.update', url: 'https://93.184.216.34/hooks' })
    expect(await refused('POST', `/webhooks/${hook.id}/redeliver`, { since: 'yesterday' })).toEqual([
      'INVALID_REQUEST',
      'since must be a time in ISO 8601 with a time zone, such as 2026-03-02T15:00:00Z.',
    ])
  })

  it('an unknown id, without the rest of the path', async () => {
    expect(await refused('GET', '/accounts/acc_0000000000000')).toEqual([
      'NOT_FOUND',
      'No resource of this team was found for acc_0000000000000.',
    ])
    expect(await refused('GET', `/accounts/${ach}/balances/bal_0000000000000`)).toEqual([
      'NOT_FOUND',
      `No resource of this team was found for ${ach} and bal_0000000000000.`,
    ])
    const token = `pk_elem_${'x'.repeat(30)}`
    for (const path of ['/entities/canary-name', `/elements/token/${token}/results`]) {
      const [, message] = await refused('GET', path)
      expect(message).toBe('No resource exists at this path. Check the path and the ids in it.')
    }
  })

  it('a path with two slashes, which a base URL that ends with a slash causes', async () => {
    for (const path of ['//entities', '/enveloped//entities'])
      expect((await service.call('GET', path)).text).toContain(
        'The path contains //. Remove the slash at the end of the base URL.',
      )
  })
})

describe('requests from existing clients', () => {
  it('may send an expiry date as numbers', async () => {
    const debt = (credit_card: unknown, account_number = '4936494462408721') =>
      service.call('POST', '/accounts', {
        holder_id: entity,
        liability: { mch_id: 'mch_302086', account_number, credit_card },
      })
    expect((await debt({ exp_month: 4, exp_year: 2030 })).status).toBe(200)
    expect((await debt({ exp_month: '04', exp_year: '2030' })).status).toBe(200)
    expect(errorOf((await debt({ exp_month: 13, exp_year: 2030 })).body).message).toBe(
      'liability.credit_card.exp_month must be two digits, 01 to 12.',
    )
    expect(errorOf((await debt({ exp_month: 1, exp_year: 30 })).body).message).toBe(
      'liability.credit_card.exp_year must be four digits, such as 2030.',
    )
  })

  it('are rejected if they contain the block of another verification session type', async () => {
    const path = `/accounts/${cards[0]!.id}/verification_sessions`
    const session = await bank.must('POST', path, { type: 'standard' })
    const answer = { standard: { number: '4000000000090342' }, instant: { exp_month: '01' } }
    expect(await refused('PUT', `${path}/${session.id}`, answer)).toEqual([
      'INVALID_REQUEST',
      'instant must be omitted because the session type is standard.',
    ])
  })

  it('have the block of another Opal token mode checked', async () => {
    const token = { mode: 'connect', entity_id: entity, balance_transfer: { loan_amount: 1 } }
    expect((await refused('POST', '/opal/token', token))[1]).toBe('balance_transfer.loan_amount must be at least 100.')
    const element = { type: 'connect', entity_id: entity, balance_transfer: { loan_amount: 1 } }
    expect((await refused('POST', '/elements/token', element))[1]).toBe(
      'balance_transfer.loan_amount must be at least 100.',
    )
  })
})

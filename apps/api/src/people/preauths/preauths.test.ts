import { OutsideError } from '@causeway/connector/ports/outside-error'
import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

type Body = Record<string, unknown> & { id: string }

const service = await testService()
const bank = lender(service)
const debts = await bank.debts('+15125550100')
const typeOf = (account: Body) => (account['liability'] as Body)['type']
const card = debts.accounts.find(account => typeOf(account) === 'credit_card')!
const loan = debts.accounts.find(account => typeOf(account) !== 'credit_card')!
const purchase = { amount: 4_500, mcc: '5732', ip_address: '203.0.113.7', txn_time: '2026-03-02T15:00:00Z' }
const owner = {
  bin6: '411111',
  first_name: 'Quillonia',
  last_name: 'Abernathwaite',
  phone: '+12025550123',
  zip: '78705',
}

describe('preauth signals', () => {
  it('of an account have the documented fields, and are read and listed', async () => {
    const signals = await bank.must('POST', '/preauth', { account_id: card.id, purchase, metadata: { order: '7' } })
    expect(signals).toEqual({
      id: expect.stringMatching(/^preauth_\w{13}$/),
      account_id: card.id,
      status: 'completed',
      verified_ownership: 'match',
      card_standing: 'open',
      success_likelihood: expect.any(Number),
      optimal_retry_date: null,
      error: null,
      metadata: { order: '7' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(await bank.must('GET', `/preauth/${signals.id}`)).toEqual(signals)
    const { data } = (await bank.must('GET', '/preauth')) as unknown as { data: Body[] }
    expect(data[0]).toEqual(signals)
  })

  it.each([
    ['1111', { verified_ownership: 'match', card_standing: 'open', success_likelihood: 0.95 }],
    ['0001', { verified_ownership: 'no_match' }],
    ['0002', { verified_ownership: 'fuzzy_match' }],
    ['0003', { verified_ownership: 'identity_not_found' }],
    ['0004', { card_standing: 'closed', success_likelihood: 0, optimal_retry_date: null }],
  ])('of a card that ends in %s are those of the sandbox', async (last4, expected) => {
    const signals = await bank.must('POST', '/preauth', { card: { ...owner, last4 } })
    expect(signals).toMatchObject({ account_id: null, status: 'completed', ...expected })
  })

  it('of a charge that is likely to fail have a better time', async () => {
    const { optimal_retry_date: retry, created_at: created } = await bank.must('POST', '/preauth', {
      card: { ...owner, last4: '0005' },
    })
    expect(Date.parse(retry as string) - Date.parse(created as string)).toBe(3 * DAY_MS)
  })

  it('of a card without an owner have no ownership', async () => {
    const signals = await bank.must('POST', '/preauth', { card: { bin6: '411111', last4: '1111' } })
    expect(signals['verified_ownership']).toBe('unknown')
  })

  it('are stored without the card and the purchase', async () => {
    await bank.must('POST', '/preauth', { card: { ...owner, last4: '1111' }, purchase })
    const rows = await service.store.reader
      .selectFrom('preauths')
      .selectAll()
      .where('team_id', '=', service.team)
      .execute()
    expect(JSON.stringify(rows)).not.toMatch(/Abernathwaite|411111|203\.0\.113|2025550123/)
  })

  it.each([
    ['both an account and a card', { account_id: 'acc_1', card: { bin6: '411111', last4: '1111' } }],
    ['neither', {}],
    ['five digits of the number', { card: { bin6: '41111', last4: '1111' } }],
    ['a purchase without an address', { account_id: 'acc_1', purchase: { ...purchase, ip_address: undefined } }],
  ])('are rejected for %s', async (_name, body) => {
    expect(await bank.rejection('POST', '/preauth', body)).toBe('INVALID_REQUEST')
  })

  it('are rejected for a loan, and for an account that does not exist', async () => {
    expect(await bank.rejection('POST', '/preauth', { account_id: loan.id })).toBe('INVALID_REQUEST')
    expect(await bank.rejection('POST', '/preauth', { account_id: 'acc_0000000000000' })).toBe('NOT_FOUND')
  })

  // kills: preauth-needs-consent
  it('are rejected if the person did not agree to share updates', async () => {
    await service.store.write(tx =>
      tx
        .updateTable('accounts')
        .set({ agreed: JSON.stringify(['balance']) })
        .where('team_id', '=', service.team)
        .where('id', '=', card.id)
        .execute(),
    )
    expect(await bank.rejection('POST', '/preauth', { account_id: card.id })).toBe('PRODUCT_CONSENT_MISSING')
    await service.store.write(tx =>
      tx
        .updateTable('accounts')
        .set({ agreed: null })
        .where('team_id', '=', service.team)
        .where('id', '=', card.id)
        .execute(),
    )
  })

  it('of another team are not found', async () => {
    const { id } = await bank.must('POST', '/preauth', { account_id: card.id })
    const other = lender(service, (await service.anotherTeam()).key)
    expect(await other.rejection('GET', `/preauth/${id}`)).toBe('NOT_FOUND')
    expect(await other.rejection('POST', '/preauth', { account_id: card.id })).toBe('NOT_FOUND')
  })
})

describe('a network', () => {
  const card = { bin6: '411111', last4: '1111' }
  const withAnswer = (preauth: () => Promise<never>) =>
    testService({ ports: ports => ({ ...ports, network: { ...ports.network, preauth } }) })

  it('without preauth signals rejects the request', async () => {
    const lacking = lender(await withAnswer(async () => ({ status: 'unavailable' }) as never))
    expect(await lacking.rejection('POST', '/preauth', { card })).toBe('TEAM_CAPABILITY_RESTRICTED')
  })

  it('that does not answer says to retry', async () => {
    const silent = await withAnswer(async () => {
      throw new OutsideError('no answer')
    })
    const { status, body } = await silent.call('POST', '/preauth', { card })
    expect([status, body['error']['message']]).toEqual([503, expect.stringMatching(/Retry/)])
  })

  it('that refuses the call is named in the error', async () => {
    const refusing = lender(await withAnswer(async () => ({ status: 'failed', code: 24001 }) as never))
    const signals = await refusing.must('POST', '/preauth', { card })
    expect(signals).toMatchObject({ status: 'failed', verified_ownership: null, error: { code: 24001 } })
  })
})

import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { postRejection, provenDebts } from '../../testing/records.js'
import { testService } from '../../testing/service.js'

type Body = Record<string, unknown> & { id: string }

let card: string
let loan: string
let mortgage: string
let ach: string
const service = await testService()
;({ card, loan, mortgage, ach } = await provenDebts(service))

const rejection = postRejection(service)

describe('products of accounts', () => {
  it.each([
    ['payoffs', undefined],
    ['card_brands', undefined],
    ['attributes', undefined],
    ['sensitive', { expand: ['credit_card.number'] }],
    ['payment_instruments', { type: 'network_token' }],
  ])('%s are listed, latest first', async (product, body) => {
    const path = `/accounts/${product === 'payoffs' ? loan : card}/${product}`
    const ids = [
      (await service.call('POST', path, body)).body['id'],
      (await service.call('POST', path, body)).body['id'],
    ]
    const listed = (await service.call('GET', `${path}?page_limit=2`)).body['data'] as Body[]
    expect(listed.map(one => one.id)).toEqual(ids.reverse())
  })

  it('are rejected if the debt type does not have them, or the debt is not verified', async () => {
    expect(await rejection(`/accounts/${card}/payoffs`)).toBe('PRODUCT_UNAVAILABLE')
    expect(await rejection(`/accounts/${loan}/card_brands`)).toBe('PRODUCT_UNAVAILABLE')
    expect(await rejection(`/accounts/${ach}/payoffs`)).toBe('PRODUCT_UNAVAILABLE')
    expect(await rejection(`/accounts/${loan}/attributes`)).toBe('PRODUCT_UNAVAILABLE')
    expect(await rejection(`/accounts/${mortgage}/sensitive`, { expand: ['mortgage.number'] })).toBe(
      'PRODUCT_VERIFICATION_MISSING',
    )
    expect(await rejection(`/accounts/${card}/sensitive`, {})).toBe('INVALID_REQUEST')
    expect(await rejection(`/accounts/${card}/sensitive`, { expand: ['credit_card.pin'] })).toBe('INVALID_REQUEST')
    for (const expand of [['auto_loan.number'], ['credit_card.number', 'auto_loan.number']])
      expect(await rejection(`/accounts/${card}/sensitive`, { expand })).toBe('INVALID_REQUEST')
    expect(await rejection('/accounts/acc_0000000000000/payoffs')).toBe('NOT_FOUND')
  })

  it('are rejected if the team has not enabled them', async () => {
    const other = await service.anotherTeam()
    const { accounts } = await lender(service, other.key).debts('+15121231111')
    const headers = { authorization: `Bearer ${other.key}` }
    await service.call('PATCH', '/team', { products: ['connect'] }, headers)
    expect(await rejection(`/accounts/${accounts[0]!.id}/attributes`, undefined, headers)).toBe(
      'TEAM_CAPABILITY_RESTRICTED',
    )
    expect(await rejection(`/accounts/${card}/balances`, undefined, headers)).toBe('NOT_FOUND')
  })
})

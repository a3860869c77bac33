import type { Version } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { nameAt, showAt } from './chain.js'

const payment = {
  id: 'pmt_0000000000000',
  amount: 100,
  destination_payment_method: 'electronic',
  destination_posted_date: null,
  idempotency_key: 'k',
  metadata: { id: 'pmt_mine', idempotency_key: 'mine' },
}

describe('the version chain', () => {
  it('9 the latest version shows a body unchanged', () => {
    expect(showAt('2026-03-30', payment)).toEqual(payment)
  })

  it('9 each older version omits later additions', () => {
    expect(Object.keys(showAt('2025-12-01', payment) as object)).toEqual([
      'id',
      'amount',
      'destination_payment_method',
      'metadata',
    ])
    expect(Object.keys(showAt('2025-07-04', payment) as object)).toEqual(['id', 'amount', 'metadata'])
    expect(showAt('2024-04-04', payment)).toEqual(showAt('2025-07-04', payment))
  })

  it('9 metadata belongs to the team and stays unchanged, regardless of its contents', () => {
    expect(showAt('2024-04-04', payment)).toMatchObject({ metadata: payment.metadata })
  })

  it('9 an older version has its own names for products and subscriptions, or none', () => {
    const names = (version: Version) =>
      ['card', 'network_token', 'inbound_achwire_payment'].map(kind =>
        nameAt(version, 'product', `payment_instrument.${kind}`, 'account'),
      )
    expect(names('2025-12-01')[0]).toBe('payment_instrument.card')
    expect(names('2025-07-04')).toEqual(['payment_instrument', 'payment_instrument', null])
    expect(names('2024-04-04')).toEqual(names('2025-07-04'))
    for (const version of ['2025-12-01', '2024-04-04'] as const) {
      expect(nameAt(version, 'subscription', 'attribute', 'account')).toBe(null)
      expect(nameAt(version, 'subscription', 'attribute', 'entity')).toBe('attribute')
      expect(nameAt(version, 'product', 'attribute', 'account')).toBe('attribute')
    }
    expect(nameAt('2026-03-30', 'subscription', 'attribute', 'account')).toBe('attribute')
  })

  it("9 a nested resource is also shown in the version's form", () => {
    const account = {
      id: 'acc_0000000000000',
      products: ['payment_instrument.card', 'payment_instrument.network_token', 'update'],
    }
    expect(showAt('2024-04-04', { id: 'cxn_0000000000000', accounts: [account] })).toEqual({
      id: 'cxn_0000000000000',
      accounts: [{ id: account.id, products: ['payment_instrument', 'update'] }],
    })
  })
})

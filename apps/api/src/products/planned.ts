import type { AccountOffer, AnyOffer } from './product.js'
import { notOffered } from './rules.js'

const account = (name: string, types: readonly string[] | null, ...subscriptions: string[]): AccountOffer => ({
  holder: 'account',
  name,
  subscriptions: subscriptions.map(each => ({ name: each })),
  availability: (_team, row) =>
    row.type === 'liability' &&
    row.status !== 'disabled' &&
    (types === null || types.includes(row.liability_type ?? ''))
      ? notOffered
      : { status: 'unavailable', because: 'PRODUCT_UNAVAILABLE' },
})

const card = ['credit_card']

/** Products of the contract that are listed as restricted, because the service does not offer them yet. */
export const planned: readonly AnyOffer[] = [
  account('sensitive', null),
  account('payment_instrument.card', card),
  account('payment_instrument.network_token', card),
  account('payment_instrument.inbound_achwire_payment', card),
  account('card_brand', card),
  account('payoff', ['auto_loan', 'mortgage']),
  account('attribute', ['credit_card', 'personal_loan', 'mortgage']),
]

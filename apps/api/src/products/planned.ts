import type { AnyOffer, EntityOffer } from './product.js'
import { notOffered } from './rules.js'

const entity = (name: string, ...subscriptions: string[]): EntityOffer => ({
  holder: 'entity',
  name,
  subscriptions: subscriptions.map(each => ({ name: each })),
  availability: (_team, { type }) =>
    type === 'individual' ? notOffered : { status: 'unavailable', because: 'INVALID_ENTITY_TYPE' },
})

/** Products of the contract that are listed as restricted, because the service does not offer them yet. */
export const planned: readonly AnyOffer[] = [
  entity('credit_score', 'credit_score'),
  entity('identity'),
  entity('attribute', 'attribute'),
  entity('vehicle'),
  entity('manual_connect'),
]

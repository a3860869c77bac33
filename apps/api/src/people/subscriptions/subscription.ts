import { jsonColumn } from '../../platform/db/json-column.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Deps } from '../../platform/scope.js'
import type { Holder, Product, SomeOffer, Subscribable } from '../holders/product.js'
import { offersOf } from '../holders/product-rules.js'

export type SubscriptionRow = Tables['subscriptions']

export const subscriptionPayload = jsonColumn<Record<string, unknown>>('subscriptions.payload')

/** A subscription and the offer to which it belongs. */
export interface Enrolment {
  offer: SomeOffer
  subscription: Subscribable<Holder>
}

/** Finds a subscription and its offer by name, for a kind of holder. */
export function enrolmentOf(offers: Deps['offers'], kind: Product['holder'], name: string): Enrolment | undefined {
  for (const offer of offersOf(offers, kind)) {
    const subscription = offer.subscriptions.find(each => each.name === name)
    if (subscription) return { offer, subscription }
  }
  return undefined
}

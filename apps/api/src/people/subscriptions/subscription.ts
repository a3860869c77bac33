import type { Tables } from '../../platform/db/tables.js'
import type { Deps } from '../../platform/scope.js'
import type { Holder, Product, Subscribable } from '../products/product.js'
import { offersOf, type SomeOffer } from '../products/rules.js'

export type SubscriptionRow = Tables['subscriptions']

/** The product behind a name that can be enrolled. */
export interface Enrolment {
  offer: SomeOffer
  wanted: Subscribable<Holder>
}

/** The offer of a kind of holder that has this subscription. */
export function enrolmentOf(offers: Deps['offers'], kind: Product['holder'], name: string): Enrolment | undefined {
  for (const offer of offersOf(offers, kind)) {
    const wanted = offer.subscriptions.find(each => each.name === name)
    if (wanted) return { offer, wanted: wanted as unknown as Subscribable<Holder> }
  }
  return undefined
}

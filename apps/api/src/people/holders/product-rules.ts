import { ServiceError } from '@causeway/contract/errors'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Scope } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import type { AccountRow } from './account.js'
import { consentMissing, readNames } from './consent-rules.js'
import { type EntityRow, isVerified } from './entity.js'
import type {
  AccountOffer,
  AnyOffer,
  Availability,
  EntityOffer,
  Holder,
  Product,
  RecordRow,
  SomeOffer,
  Subscribable,
} from './product.js'

/** A holder's five lists of product and subscription names. */
export interface Names {
  products: string[]
  restricted_products: string[]
  subscriptions: string[]
  available_subscriptions: string[]
  restricted_subscriptions: string[]
}

/** The lists of a holder that has no products or subscriptions. */
export const noNames: Names = {
  products: [],
  restricted_products: [],
  subscriptions: [],
  available_subscriptions: [],
  restricted_subscriptions: [],
}

export const available: Availability = { status: 'available' }

/** The availability of a product that the team has not enabled or that the service does not yet offer. */
export const notOffered = {
  status: 'restricted',
  subType: 'TEAM_CAPABILITY_RESTRICTED',
} as const satisfies Availability

const supportsJson = jsonColumn<readonly string[]>('accounts.supports')
const subscriptionsJson = {
  account: jsonColumn<readonly string[]>('accounts.subscribed'),
  entity: jsonColumn<readonly string[]>('entities.subscribed'),
}

/** Returns the names of the products that an account's institution supports. */
export const supportsOf = (account: Pick<AccountRow, 'supports'>): readonly string[] =>
  readNames(supportsJson, account.supports)

/**
 * Checks an account product's general conditions: the account is an active debt, its institution supports the product,
 * and the team has enabled it.
 */
export function forSupportedDebt(team: Team, account: AccountRow, name: string): Availability {
  if (account.status !== 'active' || account.type !== 'liability' || !supportsOf(account).includes(name))
    return { status: 'unavailable', subType: 'PRODUCT_UNAVAILABLE' }
  return team.settings.products.includes(name) ? available : notOffered
}

/**
 * Checks an entity product's general conditions: the entity is an individual and not disabled, and the team has enabled
 * the product.
 */
export function forIndividual(team: Team, entity: EntityRow, name: string): Availability {
  if (entity.type !== 'individual') return { status: 'unavailable', subType: 'INVALID_ENTITY_TYPE' }
  if (entity.status === 'disabled') return { status: 'unavailable', subType: 'PRODUCT_UNAVAILABLE' }
  return team.settings.products.includes(name) ? available : notOffered
}

/**
 * Checks the conditions of {@link forIndividual}, and checks that the person's phone number and identity are verified.
 */
export function forVerified(team: Team, entity: EntityRow, name: string): Availability {
  const general = forIndividual(team, entity, name)
  if (general.status !== 'available' || isVerified(entity)) return general
  return { status: 'restricted', subType: 'ENTITY_VERIFICATION_MISSING' }
}

/** Returns the names of a holder's subscriptions. */
export const subscriptionNames = (holder: Holder): readonly string[] =>
  readNames(subscriptionsJson[kindOf(holder.id)], holder.subscribed)

/** The team and its providers, which decide what a holder can be offered. */
export type Terms = Pick<Scope, 'team' | 'deps'>

/** Restricts what would be offered if no provider serves it. */
const unlessMissing = (answer: Availability, message: string | null): Availability =>
  // mutant: unserved-is-not-offered (true)
  answer.status === 'unavailable' || message === null ? answer : { ...notOffered, message }

/** Restricts what would be offered, or what a verification would make available, if the person did not agree to it. */
const unlessConsentMissing = (answer: Availability, product: string, holder: Holder): Availability =>
  answer.status === 'unavailable' || (answer.status === 'restricted' && answer.subType === notOffered.subType)
    ? answer
    : (consentMissing(holder, product) ?? answer)

/** Returns a product's availability to a holder. */
export const productAvailability = ({ team, deps }: Terms, offer: SomeOffer, holder: Holder): Availability =>
  unlessConsentMissing(
    unlessMissing(offer.availability(team, holder), deps.capabilities.missing(`${offer.holder}_product`, offer.name)),
    offer.name,
    holder,
  )

/**
 * Returns a subscription's availability to a holder. By default, a subscription has the same availability as its offer.
 */
export const subscriptionAvailability = (
  { team, deps }: Terms,
  offer: SomeOffer,
  subscription: Subscribable<Holder>,
  holder: Holder,
): Availability =>
  unlessConsentMissing(
    unlessMissing(
      (subscription.availability ?? offer.availability)(team, holder),
      deps.capabilities.missing(`${offer.holder}_subscription`, subscription.name),
    ),
    offer.name,
    holder,
  )

/** Sorts the offers into the holder's lists. Omits unavailable products and subscriptions. */
export function namesOf(terms: Terms, offers: readonly SomeOffer[], holder: Holder): Names {
  const names: Names = {
    products: [],
    restricted_products: [],
    subscriptions: [...subscriptionNames(holder)],
    available_subscriptions: [],
    restricted_subscriptions: [],
  }
  const enrolled = new Set(names.subscriptions)
  for (const offer of offers) {
    const { status } = productAvailability(terms, offer, holder)
    if (status !== 'unavailable') names[status === 'available' ? 'products' : 'restricted_products'].push(offer.name)
    for (const each of offer.subscriptions) {
      const subscriptionStatus = enrolled.has(each.name)
        ? 'unavailable'
        : subscriptionAvailability(terms, offer, each, holder).status
      if (subscriptionStatus !== 'unavailable')
        names[subscriptionStatus === 'available' ? 'available_subscriptions' : 'restricted_subscriptions'].push(
          each.name,
        )
    }
  }
  return names
}

export const entityOffers = (offers: readonly AnyOffer[]): EntityOffer[] =>
  offers.filter(offer => offer.holder === 'entity')
export const accountOffers = (offers: readonly AnyOffer[]): AccountOffer[] =>
  offers.filter(offer => offer.holder === 'account')

/** Returns the offers for a kind of holder, in list order. */
export const offersOf = (offers: readonly AnyOffer[], kind: Product['holder']): readonly SomeOffer[] =>
  kind === 'entity' ? entityOffers(offers) : accountOffers(offers)

/** Returns a holder's kind, based on its id. */
export const kindOf = (holder: string): Product['holder'] => (holder.startsWith('ent_') ? 'entity' : 'account')

/** Returns the product that created a record, or undefined for a verification session, which belongs to no product. */
export function productOf(
  offers: readonly AnyOffer[],
  { product, holder_id }: Pick<RecordRow, 'product' | 'holder_id'>,
): Product | undefined {
  return offers.find(
    (offer): offer is Product => 'path' in offer && offer.name === product && offer.holder === kindOf(holder_id),
  )
}

/** Returns the names of the products that have sealed records. */
export const sealedProducts = (offers: readonly AnyOffer[], kind: Product['holder']): string[] =>
  offers.flatMap(offer => ('sealed' in offer && offer.sealed && offer.holder === kind ? [offer.name] : []))

/** Throws a request error if a holder cannot use a product. */
export function requireAvailable(answer: Availability): void {
  if (answer.status !== 'available') throw new ServiceError(answer.subType, answer.message)
}

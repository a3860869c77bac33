import { ServiceError } from '@causeway/contract/errors'
import type { Team } from '../../platform/team.js'
import type { AccountRow } from '../accounts/account.js'
import { type EntityRow, isVerified } from '../entities/entity.js'
import type {
  AccountOffer,
  AnyOffer,
  Availability,
  EntityOffer,
  Holder,
  Product,
  RecordRow,
  Subscribable,
} from './product.js'

/** The five name lists of a holder. */
export interface Names {
  products: string[]
  restricted_products: string[]
  subscriptions: string[]
  available_subscriptions: string[]
  restricted_subscriptions: string[]
}

/** The name lists of a holder that can have nothing. */
export const noNames: Names = {
  products: [],
  restricted_products: [],
  subscriptions: [],
  available_subscriptions: [],
  restricted_subscriptions: [],
}

/** An offer without its holder's type, for code that handles both kinds. */
export interface SomeOffer extends Pick<AnyOffer, 'name' | 'shares' | 'onlySubscribed'> {
  subscriptions: readonly Subscribable<never>[]
  availability(team: Team, holder: never): Availability
}

export const available: Availability = { status: 'available' }

/** The availability of a product that the team has not enabled or that the service does not offer yet. */
export const notOffered: Availability = { status: 'restricted', because: 'TEAM_CAPABILITY_RESTRICTED' }

const known = new Map<string, readonly string[]>()
const MANY = 1_000

/** Parses a JSON list of names from a column. Few distinct texts occur, so parsed lists are cached. */
export function readNames(text: string): readonly string[] {
  const found = known.get(text)
  if (found) return found
  if (known.size >= MANY) known.clear()
  const list = Object.freeze(JSON.parse(text) as string[])
  known.set(text, list)
  return list
}

/**
 * Checks the general conditions of an account product: an active debt whose institution supports it, and a team that
 * has it.
 */
export function supported(team: Team, account: AccountRow, name: string): Availability {
  if (account.status !== 'active' || account.type !== 'liability' || !readNames(account.supports).includes(name))
    return { status: 'unavailable', because: 'PRODUCT_UNAVAILABLE' }
  return team.settings.products.includes(name) ? available : notOffered
}

/** Checks the general conditions of an entity product: an individual who is not disabled, and a team that has it. */
export function forIndividual(team: Team, entity: EntityRow, name: string): Availability {
  if (entity.type !== 'individual') return { status: 'unavailable', because: 'INVALID_ENTITY_TYPE' }
  if (entity.status === 'disabled') return { status: 'unavailable', because: 'PRODUCT_UNAVAILABLE' }
  return team.settings.products.includes(name) ? available : notOffered
}

/** Checks the same conditions, and that the person's phone and identity are proven. */
export function forVerified(team: Team, entity: EntityRow, name: string): Availability {
  const general = forIndividual(team, entity, name)
  if (general.status !== 'available' || isVerified(entity)) return general
  return { status: 'restricted', because: 'ENTITY_VERIFICATION_MISSING' }
}

/** Returns the names of a holder's subscriptions. */
export const subscribed = (holder: Holder): readonly string[] => readNames(holder.subscribed)

/** Returns whether a holder can enroll in a subscription of an offer now. */
export function enrollable(offer: SomeOffer, wanted: Subscribable<never>, team: Team, holder: Holder): Availability {
  return (wanted.availability ?? offer.availability)(team, holder as never)
}

/** Sorts the offers into a holder's lists. Products that are `unavailable` appear in no list. Pure. */
export function namesOf(offers: readonly SomeOffer[], team: Team, holder: Holder): Names {
  const names: Names = {
    products: [],
    restricted_products: [],
    subscriptions: [...subscribed(holder)],
    available_subscriptions: [],
    restricted_subscriptions: [],
  }
  const enrolled = new Set(names.subscriptions)
  for (const offer of offers) {
    const { status } = offer.availability(team, holder as never)
    if (status !== 'unavailable') names[status === 'available' ? 'products' : 'restricted_products'].push(offer.name)
    for (const each of offer.subscriptions) {
      const open = enrolled.has(each.name) ? 'unavailable' : enrollable(offer, each, team, holder).status
      if (open !== 'unavailable')
        names[open === 'available' ? 'available_subscriptions' : 'restricted_subscriptions'].push(each.name)
    }
  }
  return names
}

export const entityOffers = (offers: readonly AnyOffer[]): EntityOffer[] =>
  offers.filter(offer => offer.holder === 'entity')
export const accountOffers = (offers: readonly AnyOffer[]): AccountOffer[] =>
  offers.filter(offer => offer.holder === 'account')

/** Returns the offers for a kind of holder, in the order of its lists. */
export const offersOf = (offers: readonly AnyOffer[], kind: Product['holder']): readonly SomeOffer[] =>
  kind === 'entity' ? entityOffers(offers) : accountOffers(offers)

/** Returns the kind of a holder from its id. */
export const kindOf = (holder: string): Product['holder'] => (holder.startsWith('ent_') ? 'entity' : 'account')

/** Returns the product that created a record; undefined for a verification session, which belongs to no product. */
export function productOf(
  offers: readonly AnyOffer[],
  { product, holder_id }: Pick<RecordRow, 'product' | 'holder_id'>,
): Product | undefined {
  return offers.find(
    (offer): offer is Product => 'path' in offer && offer.name === product && offer.holder === kindOf(holder_id),
  )
}

/** Returns the names of products whose records are sealed. */
export const sealedProducts = (offers: readonly AnyOffer[], kind: Product['holder']): string[] =>
  offers.flatMap(offer => ('sealed' in offer && offer.sealed && offer.holder === kind ? [offer.name] : []))

/** Throws the request error if a holder cannot use a product. */
export function allow(answer: Availability): void {
  if (answer.status !== 'available') throw new ServiceError(answer.because, answer.says)
}

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

/** The five name-lists of a holder. */
export interface Names {
  products: string[]
  restricted_products: string[]
  subscriptions: string[]
  available_subscriptions: string[]
  restricted_subscriptions: string[]
}

/** Those of a holder that can have nothing. */
export const noNames: Names = {
  products: [],
  restricted_products: [],
  subscriptions: [],
  available_subscriptions: [],
  restricted_subscriptions: [],
}

/** An offer with its holder's kind put aside, for what treats both alike. */
export interface SomeOffer {
  name: string
  subscriptions: readonly Subscribable<never>[]
  availability(team: Team, holder: never): Availability
}

export const available: Availability = { status: 'available' }

/** A product that a team can switch on but that it has not, or that the service does not offer yet. */
export const notOffered: Availability = { status: 'restricted', because: 'TEAM_CAPABILITY_RESTRICTED' }

const known = new Map<string, readonly string[]>()
const MANY = 1_000

/** A JSON list of names as a column holds it. The same few texts come with every row, so each is read once. */
export function readNames(text: string): readonly string[] {
  const found = known.get(text)
  if (found) return found
  if (known.size >= MANY) known.clear()
  const list = Object.freeze(JSON.parse(text) as string[])
  known.set(text, list)
  return list
}

/**
 * The conditions of an account product besides its own rule: an active debt whose institution supports it, and a team
 * that has it.
 */
export function supported(team: Team, account: AccountRow, name: string): Availability {
  if (account.status !== 'active' || account.type !== 'liability' || !readNames(account.supports).includes(name))
    return { status: 'unavailable', because: 'PRODUCT_UNAVAILABLE' }
  return team.settings.products.includes(name) ? available : notOffered
}

/** The conditions of every entity product: an individual who is not disabled, and a team that has it. */
export function forIndividual(team: Team, entity: EntityRow, name: string): Availability {
  if (entity.type !== 'individual') return { status: 'unavailable', because: 'INVALID_ENTITY_TYPE' }
  if (entity.status === 'disabled') return { status: 'unavailable', because: 'PRODUCT_UNAVAILABLE' }
  return team.settings.products.includes(name) ? available : notOffered
}

/** The same, for products that are for a person whose phone and identity are proven. */
export function forVerified(team: Team, entity: EntityRow, name: string): Availability {
  const general = forIndividual(team, entity, name)
  if (general.status !== 'available' || isVerified(entity)) return general
  return { status: 'restricted', because: 'ENTITY_VERIFICATION_MISSING' }
}

/** Names that a holder is enrolled in. */
export const subscribed = (holder: Holder): readonly string[] => readNames(holder.subscribed)

/** True if a holder can enroll in something of an offer now. */
export function enrollable(offer: SomeOffer, wanted: Subscribable<never>, team: Team, holder: Holder): Availability {
  return (wanted.availability ?? offer.availability)(team, holder as never)
}

/** Sorts what is offered to a holder into its lists. `unavailable` is in none. Pure. */
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

/** The products of a kind of holder, in the order of its lists. */
export const offersOf = (offers: readonly AnyOffer[], kind: Product['holder']): readonly SomeOffer[] =>
  kind === 'entity' ? entityOffers(offers) : accountOffers(offers)

/** The kind of a holder, by its id. */
export const kindOf = (holder: string): Product['holder'] => (holder.startsWith('ent_') ? 'entity' : 'account')

/** The product that left a record. Undefined for a verification session, which is no product. */
export function productOf(
  offers: readonly AnyOffer[],
  { product, holder_id }: Pick<RecordRow, 'product' | 'holder_id'>,
): Product | undefined {
  return offers.find(
    (offer): offer is Product => 'path' in offer && offer.name === product && offer.holder === kindOf(holder_id),
  )
}

/** Names of products whose records are sealed. */
export const sealedProducts = (offers: readonly AnyOffer[], kind: Product['holder']): string[] =>
  offers.flatMap(offer => ('sealed' in offer && offer.sealed && offer.holder === kind ? [offer.name] : []))

/** Throws the request error that keeps a holder from using a product. */
export function allow(answer: Availability): void {
  if (answer.status !== 'available') throw new ServiceError(answer.because, answer.says)
}

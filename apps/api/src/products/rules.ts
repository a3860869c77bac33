import { ServiceError } from '@causeway/contract/errors'
import type { AccountRow } from '../accounts/account.js'
import type { EntityRow } from '../entities/entity.js'
import type { Team } from '../teams/team.js'
import type { AccountOffer, AnyOffer, Availability, EntityOffer } from './product.js'

/** The five name-lists of a holder. */
export interface Names {
  products: string[]
  restricted_products: string[]
  subscriptions: string[]
  available_subscriptions: string[]
  restricted_subscriptions: string[]
}

export const available: Availability = { status: 'available' }

/** A product that a team can switch on but that the service does not offer yet. */
export const notOffered: Availability = { status: 'restricted', because: 'TEAM_CAPABILITY_RESTRICTED' }

/** What an account product needs besides its own rule: an active debt whose institution supports it, and a team that has it. */
export function supported(team: Team, account: AccountRow, name: string): Availability {
  const supports = JSON.parse(account.supports) as string[]
  if (account.status !== 'active' || account.type !== 'liability' || !supports.includes(name))
    return { status: 'unavailable', because: 'PRODUCT_UNAVAILABLE' }
  return team.settings.products.includes(name) ? available : notOffered
}

/** Sorts what is offered to a holder into its lists. `unavailable` is in none. Pure. */
export function namesOf<H extends EntityRow | AccountRow>(
  offers: readonly {
    name: string
    subscriptions: readonly string[]
    availability(team: Team, holder: H): Availability
  }[],
  team: Team,
  holder: H,
): Names {
  const names: Names = {
    products: [],
    restricted_products: [],
    subscriptions: [],
    available_subscriptions: [],
    restricted_subscriptions: [],
  }
  for (const offer of offers) {
    const { status } = offer.availability(team, holder)
    if (status === 'unavailable') continue
    names[status === 'available' ? 'products' : 'restricted_products'].push(offer.name)
    names.restricted_subscriptions.push(...offer.subscriptions)
  }
  return names
}

export const entityOffers = (offers: readonly AnyOffer[]): EntityOffer[] =>
  offers.filter(offer => offer.holder === 'entity')
export const accountOffers = (offers: readonly AnyOffer[]): AccountOffer[] =>
  offers.filter(offer => offer.holder === 'account')

/** Throws the request error that keeps a holder from using a product. */
export function allow(answer: Availability): void {
  if (answer.status !== 'available') throw new ServiceError(answer.because)
}

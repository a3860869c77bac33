import type { CardProduct } from '@causeway/connector/ports/account-data'
import type { Merchant } from '@causeway/connector/ports/network'
import type { Team } from '../../platform/team.js'
import { tokenJson } from './session.js'
import type { TokenRow } from './store.js'

/** Returns the customer's name as a token's pages show it. */
export function shownName({ settings }: Team, token: TokenRow): string {
  const { name } = tokenJson.display.read(token.display)
  return name ?? settings.brand.name
}

/** Returns the URL of the customer's logo for a token's pages; null if there is no logo. */
export function logoUrl({ settings }: Team, token: TokenRow): string | null {
  const { logo } = tokenJson.display.read(token.display)
  return logo ?? settings.brand.logo
}

/**
 * Returns the path of the customer's logo on the frame's own origin, because the frame's pages load nothing from other
 * hosts.
 */
export const logoPath = (team: Team, token: TokenRow): string | null =>
  logoUrl(team, token) === null ? null : `/logo/${token.handle}`

/** The paths of an account's images on the frame's own origin. */
export interface AccountImages {
  /** The institution's logo; null if it has none. */
  logo: string | null
  /** The art of the account's card; null if its design is unknown. */
  card: string | null
}

/**
 * Returns an account's images. A card's design is known if the card's name is that of one of the institution's card
 * products.
 */
export function imagesOf(
  merchant: Merchant | undefined,
  name: string | null,
  cardProducts: readonly CardProduct[],
): AccountImages {
  const product = cardProducts.find(each => each.name === name && each.issuer === merchant?.parent_name)
  const design = product?.brands[0]?.id
  return {
    logo: merchant?.logo ? `/institutions/${merchant.id}` : null,
    card: design === undefined ? null : `/cards/${design}`,
  }
}

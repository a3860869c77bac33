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

/** Returns the URL of an institution's logo on the frame's own origin; null if the institution has no logo. */
export const institutionLogo = (merchant: { id: string; logo: string } | undefined): string | null =>
  merchant?.logo ? `/institutions/${merchant.id}` : null

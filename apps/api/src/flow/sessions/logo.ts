import type { Team } from '../../platform/team.js'
import type { TokenRow } from './store.js'

/** The address of the customer's logo for the pages of a token; null if there is none. */
export function logoAddress({ settings }: Team, token: TokenRow): string | null {
  const { logo } = JSON.parse(token.display) as { logo: string | null }
  return logo ?? settings.brand.logo
}

/** The address of the logo for those pages: on the frame's own origin, since they load nothing from elsewhere. */
export const logoPath = (team: Team, token: TokenRow): string | null =>
  logoAddress(team, token) === null ? null : `/logo/${token.handle}`

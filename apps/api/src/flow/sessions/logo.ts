import type { Team } from '../../platform/team.js'
import type { TokenRow } from './store.js'

/** Where a customer keeps the logo that the pages of a token show; null where there is none. */
export function logoAddress({ settings }: Team, token: TokenRow): string | null {
  const { logo } = JSON.parse(token.display) as { logo: string | null }
  return logo ?? settings.brand.logo
}

/** Where those pages find it: on the frame's own origin, since they load nothing from elsewhere. */
export const logoPath = (team: Team, token: TokenRow): string | null =>
  logoAddress(team, token) === null ? null : `/logo/${token.handle}`

import type { Deps } from '../../../platform/scope.js'
import type { Team } from '../../../platform/team.js'

/**
 * Returns the origins, besides the frame's own, that a team's flow may call from the handset. The list is empty if the
 * team does not use `sna`.
 */
export function silentOrigins({ silentOrigins: known }: Pick<Deps, 'silentOrigins'>, team: Team): readonly string[] {
  return team.settings.identity_methods.includes('sna') ? known : []
}

/**
 * Returns true if the team's frame policy allows the frame to open the URL. The browser checks any redirects from that
 * URL.
 */
export function isSilentUrl(deps: Pick<Deps, 'silentOrigins'>, team: Team, address: string): boolean {
  if (!URL.canParse(address)) return false
  const { origin } = new URL(address)
  return silentOrigins(deps, team).some(known => {
    const [scheme, suffix] = known.split('*')
    return suffix === undefined ? origin === known : origin.startsWith(scheme!) && origin.endsWith(suffix)
  })
}

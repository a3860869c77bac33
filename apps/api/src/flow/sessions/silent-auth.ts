import type { Deps } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'

/**
 * Returns the origins, besides its own, that the frame of a team's flow may send the handset to; none if the team has
 * no `sna`.
 */
export function silentOrigins({ silentOrigins: known }: Pick<Deps, 'silentOrigins'>, team: Team): readonly string[] {
  return team.settings.identity_methods.includes('sna') ? known : []
}

/**
 * True if the policy of the team's frame allows it to open the address. The browser checks any redirects from there.
 */
export function isSilent(deps: Pick<Deps, 'silentOrigins'>, team: Team, address: string): boolean {
  if (!URL.canParse(address)) return false
  const { origin } = new URL(address)
  return silentOrigins(deps, team).some(known => {
    const [scheme, suffix] = known.split('*')
    return suffix === undefined ? origin === known : origin.startsWith(scheme!) && origin.endsWith(suffix)
  })
}

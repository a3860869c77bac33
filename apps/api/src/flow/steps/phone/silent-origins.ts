import type { Deps } from '../../../platform/scope.js'
import type { Team } from '../../../platform/team.js'

type SilentDeps = Pick<Deps, 'silentOrigins' | 'capabilities'>

/**
 * Returns the origins, besides the frame's own, that a team's flow may call from the handset. The list is empty if the
 * team does not use `sna`, or if no provider serves it.
 */
export function silentOrigins({ silentOrigins: configured, capabilities }: SilentDeps, team: Team): readonly string[] {
  const isOffered =
    team.settings.identity_methods.includes('sna') && capabilities.missing('entity_method', 'sna') === null
  return isOffered ? configured : []
}

/**
 * Returns true if the team's frame policy allows the frame to open the URL. The browser checks any redirects from that
 * URL.
 */
export function isSilentUrl(deps: SilentDeps, team: Team, address: string): boolean {
  if (!URL.canParse(address)) return false
  const { origin } = new URL(address)
  return silentOrigins(deps, team).some(listed => {
    const [scheme, suffix] = listed.split('*')
    return suffix === undefined ? origin === listed : origin.startsWith(scheme!) && origin.endsWith(suffix)
  })
}

import type { PortCall } from '@causeway/connector/ports/call'
import type { Ports } from '@causeway/connector/ports/ports'
import type { Scope } from '../platform/scope.js'

/** Returns the parameters of an external call for a resource. */
export const createPortCall = ({ deps, team, now }: Scope, resource: string): PortCall => ({
  request_id: resource,
  team_id: team.id,
  now,
  cause: deps.requestId,
})

declare module '../platform/scope.js' {
  interface Deps {
    readonly ports: Ports
  }
}

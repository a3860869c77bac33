import type { Scope } from '../platform/scope.js'

export { OutsideError } from '../platform/outside-error.js'

/**
 * The parameters of every external call. A call may be slow, may throw {@link OutsideError}, and may be repeated with
 * the same `request_id`.
 */
export interface PortCall {
  /**
   * The resource's id, which stays the same on every retry, so that the external service can return the same answer.
   */
  request_id: string
  team_id: string
  /** The team's time, in epoch milliseconds. */
  now: number
  /** The id of the API request that caused the call. Used in logs, and never sent to the external service. */
  cause?: string | undefined
}

/** Returns the parameters of an external call for a resource. */
export const createPortCall = ({ deps, team, now }: Scope, resource: string): PortCall => ({
  request_id: resource,
  team_id: team.id,
  now,
  cause: deps.requestId,
})

/** The external services, each with its own port. Features never import an adapter. */
export interface Ports {
  network: import('./port.js').Network
  identity: import('./identity/port.js').Identity
  rail: import('./rail/port.js').Rail
}

declare module '../platform/scope.js' {
  interface Deps {
    readonly ports: Ports
  }
}

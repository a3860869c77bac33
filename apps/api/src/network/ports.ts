import type { Scope } from '../platform/scope.js'

export { OutsideError } from '../platform/outside-error.js'

/**
 * Parameters of every external call. Calls may be slow, fail by throwing {@link OutsideError}, and be repeated with the
 * same `request_id`.
 */
export interface Call {
  /** The resource's id. It is the same on every retry, so that the external service can return the same answer. */
  request_id: string
  team_id: string
  /** The team's time, epoch milliseconds. */
  now: number
  /** The id of the request to the service that caused the call, for log lines. It is not sent. */
  cause?: string | undefined
}

/** Returns the fields that every call about a resource has. */
export const callAbout = ({ deps, team, now }: Scope, resource: string): Call => ({
  request_id: resource,
  team_id: team.id,
  now,
  cause: deps.requestId,
})

/** The external services, one port each. Features never import an adapter. */
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

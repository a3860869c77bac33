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

/** The reason that a call to a provider failed. */
export type ProviderFailure =
  | 'rejected_key'
  | 'refused'
  /** Nothing was done, and a later attempt may succeed. */
  | 'busy'
  /** The outcome is unknown. */
  | 'no_answer'
  | 'unknown_method'
  /** A fault in our own code. */
  | 'internal'

/** Counts calls to providers, and their webhooks, by hour. */
export interface ProviderUsage {
  /** @param error the error with which the call failed, if it did */
  countCall(provider: string, path: string, error?: unknown): void
  countHook(provider: string): void
  /** Stores the counts. After a failure, the next flush stores them. */
  flush(): Promise<void>
  /** Starts to flush periodically. @returns a function that flushes the last counts */
  start(): () => Promise<void>
}

declare module '../platform/scope.js' {
  interface Deps {
    readonly ports: Ports
    readonly providerUsage: ProviderUsage
  }
}

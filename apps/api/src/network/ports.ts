import type { PortCall } from '@causeway/connector/ports/call'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { Ports } from '@causeway/connector/ports/ports'
import type { Proof, StatementLine, StatementQuery } from '@causeway/connector/provider/provider'
import type { Scope } from '../platform/scope.js'

/** A call that may have to reach a provider other than the one that serves the method now. */
export interface RoutedCall extends PortCall {
  /** The name of the provider that got the resource, or null for the one that serves the method now. */
  provider?: string | null
}

/** Thrown for a payment whose provider is not configured. It waits until the provider is configured again. */
export class UnconfiguredProviderError extends OutsideError {
  override readonly name = 'UnconfiguredProviderError'
  readonly provider: string

  constructor(provider: string) {
    super(`The payment was created for ${provider}, which is not configured. Add ${provider} to PROVIDERS.`, {
      outcome: 'nothing',
    })
    this.provider = provider
  }
}

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

export interface ConnectionSetting {
  /** The environment variable. */
  name: string
  isSecret: boolean
  isSet: boolean
  /** Null for a secret, and for a setting without a value. */
  value: string | null
}

/** A configured provider, for operators. Contains no secret. */
export interface ConnectionFacts {
  /** The name in `PROVIDERS`. */
  name: string
  title: string
  environment: 'sandbox' | 'production' | 'any'
  /** The base addresses that the service calls. */
  hosts: string[]
  proven: Proof | null
  /** The paths of the methods that it serves. */
  methods: string[]
  /** The methods that it could serve, and the provider that serves each instead. */
  otherMethods: { method: string; provider: string | null }[]
  settings: ConnectionSetting[]
  hasHooks: boolean
  /** True if its calls are counted in {@link ProviderUsage}. */
  isCounted: boolean
}

/** A provider that can list the movements on its accounts. */
export interface StatementSource {
  /** The provider's name. */
  provider: string
  /** Reads one page. Throws OutsideError if the provider does not answer. */
  read(team: string, query: StatementQuery): Promise<{ lines: StatementLine[]; cursor: string | null }>
}

declare module '../platform/scope.js' {
  interface Deps {
    readonly ports: Ports
    readonly providerUsage: ProviderUsage
    /** Describes the configured providers, as they are now. */
    readonly connections: () => readonly ConnectionFacts[]
    /** The providers whose statements are compared with the store. */
    readonly statements: readonly StatementSource[]
  }
}

import type { Scope } from '../platform/scope.js'

/** What older versions show of an entity and the newest does not. */
export interface EntityFacts {
  /** The kind of corporation that it was created as. */
  kind: string | null
  /** Whether first name, last name and phone are known. */
  nameable: boolean
  /** When its phone was verified. */
  phone_verified_at: string | null
}

/** The same of an account. */
export interface AccountFacts {
  /** Whether a verification of it is open. */
  verifying: boolean
  /** The newest update, whatever became of it. */
  latest: { status: string; error: unknown } | null
  /** The newest update that completed. */
  update: { source: string; as_of: unknown; block: Record<string, unknown> } | null
  /** The newest payoff that completed. */
  payoff: Record<string, unknown> | null
}

interface FactsOf {
  entity: EntityFacts
  account: AccountFacts
}
export type Need = keyof FactsOf

/** What a step knows beyond a body: by the id of what the body is of. Empty where nothing was asked. */
export interface Facts {
  /** The products that the team has. */
  readonly offered: readonly string[]
  readonly entity: ReadonlyMap<string, EntityFacts>
  readonly account: ReadonlyMap<string, AccountFacts>
}

export const noFacts: Facts = { offered: [], entity: new Map(), account: new Map() }

/** Loads facts of resources by their ids. */
export type LoadFacts = (scope: Scope, ids: Readonly<Record<Need, readonly string[]>>) => Promise<Facts>

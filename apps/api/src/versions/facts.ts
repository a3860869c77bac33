import type { Scope } from '../platform/scope.js'

/** Fields of an entity that older versions show and the latest does not. */
export interface EntityFacts {
  /** The kind of corporation that it was created as. */
  kind: string | null
  /** True if first name, last name and phone are known. */
  nameable: boolean
  /** When its phone was verified. */
  phone_verified_at: string | null
}

/** The same of an account. */
export interface AccountFacts {
  /** True if a verification of it is open. */
  verifying: boolean
  /** The latest update, whatever became of it. */
  latest: { status: string; error: unknown } | null
  /** The latest update that completed. */
  update: { source: string; as_of: unknown; block: Record<string, unknown> } | null
  /** The latest payoff that completed. */
  payoff: Record<string, unknown> | null
}

interface FactsOf {
  entity: EntityFacts
  account: AccountFacts
}
export type Need = keyof FactsOf

/** The facts of a step beyond a body, by the id of the body's resource. Empty if no facts were requested. */
export interface Facts {
  /** The products that the team has. */
  readonly offered: readonly string[]
  readonly entity: ReadonlyMap<string, EntityFacts>
  readonly account: ReadonlyMap<string, AccountFacts>
}

export const noFacts: Facts = { offered: [], entity: new Map(), account: new Map() }

/** Loads facts of resources by their ids. */
export type LoadFacts = (scope: Scope, ids: Readonly<Record<Need, readonly string[]>>) => Promise<Facts>

import type { Scope } from '../platform/scope.js'

/** Facts about an entity that older versions show and the latest does not. */
export interface EntityFacts {
  /** The kind given when a corporation was created. */
  kind: string | null
  /** True if first name, last name and phone are known. */
  nameable: boolean
  /** When its phone was verified. */
  phone_verified_at: string | null
}

/** Facts about an account that older versions show and the latest does not. */
export interface AccountFacts {
  /** True if a verification session of it is open. */
  verifying: boolean
  /** The latest update in any status. */
  latest: { status: string; error: unknown } | null
  /** The latest completed update. */
  update: { source: string; as_of: unknown; block: Record<string, unknown> } | null
  /** The latest completed payoff. */
  payoff: Record<string, unknown> | null
}

interface FactsOf {
  entity: EntityFacts
  account: AccountFacts
}
export type Need = keyof FactsOf

/** The facts that a step needs beyond a body, by the id of the body's resource. Empty if none were loaded. */
export interface Facts {
  /** The products that are enabled for the team. */
  readonly offered: readonly string[]
  readonly entity: ReadonlyMap<string, EntityFacts>
  readonly account: ReadonlyMap<string, AccountFacts>
}

export const noFacts: Facts = { offered: [], entity: new Map(), account: new Map() }

/** Loads facts of resources by their ids. */
export type LoadFacts = (scope: Scope, ids: Readonly<Record<Need, readonly string[]>>) => Promise<Facts>

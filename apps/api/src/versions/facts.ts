import type { Scope } from '../platform/scope.js'

/** Data about an entity that older versions show but the latest version doesn't. */
export interface EntityFacts {
  /** The kind of corporation specified at creation. */
  kind: string | null
  /** True if the first name, last name and phone number are known. */
  nameable: boolean
  /** The time at which the entity's phone number was verified. */
  phone_verified_at: string | null
}

/** Data about an account that older versions show but the latest version doesn't. */
export interface AccountFacts {
  /** True if the account has an open verification session. */
  verifying: boolean
  /** The latest update, whatever its status. */
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
export type FactKind = keyof FactsOf

/** The data that a step needs besides the body, keyed by the id of the body's resource. Empty if no data was loaded. */
export interface Facts {
  /** The products enabled for the team. */
  readonly offeredProducts: readonly string[]
  readonly entity: ReadonlyMap<string, EntityFacts>
  readonly account: ReadonlyMap<string, AccountFacts>
}

export const noFacts: Facts = { offeredProducts: [], entity: new Map(), account: new Map() }

/** Loads data about resources by id. */
export type LoadFacts = (scope: Scope, ids: Readonly<Record<FactKind, readonly string[]>>) => Promise<Facts>

import type { Team } from '../../platform/team.js'
import type { AccountRow } from '../accounts/account.js'
import type { Availability } from './product.js'
import { available, notOffered, readNames } from './rules.js'

const unavailable: Availability = { status: 'unavailable', because: 'PRODUCT_UNAVAILABLE' }

/** The proofs that a verification session can give. */
export type Proof = 'owner' | 'number' | 'expiry' | 'cvv' | 'network'

export const isProven = (account: AccountRow, proof: Proof): boolean => readNames(account.proven).includes(proof)

/** The types of verification sessions that prove each. `any`: a session of any type. */
const provenBy: Readonly<Record<Proof | 'any', string>> = {
  any: 'standard, instant, pre_auth or network',
  owner: 'micro_deposits, plaid, mx or teller',
  number: 'standard, instant, pre_auth or network',
  expiry: 'instant, pre_auth or network',
  cvv: 'pre_auth or network',
  network: 'network',
}

/** The refusal of a product that needs a verification, with the types of sessions that would do. */
export const unverified = <Status extends 'restricted' | 'unavailable'>(status: Status, needs: Proof | 'any') => ({
  status,
  because: 'PRODUCT_VERIFICATION_MISSING' as const,
  says: `The account must be verified before this product can be used. Create a verification session of type ${provenBy[needs]}.`,
})

/**
 * The conditions of a product for a debt: that its institution supports it, that the team has it, and what must be
 * proven.
 */
export interface Needs {
  /** The name among what the institution supports, and among what the team has. */
  supports: string
  /** `any`: some verification session; else what one must have proven. */
  proven?: 'any' | Proof
  /** Also of a closed account. */
  closed?: boolean
}

/** True if a debt can have a product now. Pure. */
export function forDebt(team: Team, account: AccountRow, needs: Needs): Availability {
  const open = account.status === 'active' || (needs.closed === true && account.status === 'closed')
  if (!open || account.type !== 'liability' || !readNames(account.supports).includes(needs.supports)) return unavailable
  if (!team.settings.products.includes(needs.supports)) return notOffered
  if (needs.proven === undefined) return available
  const proven = needs.proven === 'any' ? account.verified_at !== null : isProven(account, needs.proven)
  return proven ? available : unverified('restricted', needs.proven)
}

/** A continuous product of a debt that was found by a connection, not named by hand: only such a one is watched. Pure. */
export function forFound(team: Team, account: AccountRow, needs: Needs): Availability {
  return account.fingerprint === null ? unavailable : forDebt(team, account, needs)
}

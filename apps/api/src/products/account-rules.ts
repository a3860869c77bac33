import type { AccountRow } from '../accounts/account.js'
import type { Team } from '../teams/team.js'
import type { Availability } from './product.js'
import { available, notOffered, readNames } from './rules.js'

const unavailable: Availability = { status: 'unavailable', because: 'PRODUCT_UNAVAILABLE' }
const unverified: Availability = { status: 'restricted', because: 'PRODUCT_VERIFICATION_MISSING' }

/** What a verification session can prove. */
export type Proof = 'owner' | 'number' | 'expiry' | 'cvv' | 'network'

export const isProven = (account: AccountRow, proof: Proof): boolean => readNames(account.proven).includes(proof)

/** What a product needs of a debt: that its institution supports it, that the team has it, and what must be proven. */
export interface Needs {
  /** The name among what the institution supports. */
  supports: string
  /** The name among what the team has; default the same. */
  team?: string
  /** `any`: some verification session; else what one must have proven. */
  proven?: 'any' | Proof
  /** Also of a closed account. */
  closed?: boolean
}

/** Whether a debt can have a product now. Pure. */
export function forDebt(team: Team, account: AccountRow, needs: Needs): Availability {
  const open = account.status === 'active' || (needs.closed === true && account.status === 'closed')
  if (!open || account.type !== 'liability' || !readNames(account.supports).includes(needs.supports)) return unavailable
  if (!team.settings.products.includes(needs.team ?? needs.supports)) return notOffered
  if (needs.proven === undefined) return available
  const proven = needs.proven === 'any' ? account.verified_at !== null : isProven(account, needs.proven)
  return proven ? available : unverified
}

/** A continuous product of a debt that was found by a connection, not named by hand: only such a one is watched. Pure. */
export function forFound(team: Team, account: AccountRow, needs: Needs): Availability {
  return account.fingerprint === null ? unavailable : forDebt(team, account, needs)
}

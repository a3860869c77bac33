import { jsonColumn } from '../../platform/db/json-column.js'
import type { Team } from '../../platform/team.js'
import type { AccountRow } from './account.js'
import { readNames } from './consent-rules.js'
import type { Availability } from './product.js'
import { available, notOffered, supportsOf } from './product-rules.js'

const unavailable: Availability = { status: 'unavailable', subType: 'PRODUCT_UNAVAILABLE' }

/** The proofs that a verification session can provide. */
export type Proof = 'owner' | 'number' | 'expiry' | 'cvv' | 'network'

export const provenProofs = jsonColumn<readonly Proof[]>('accounts.proven')

export const isProven = (account: AccountRow, proof: Proof): boolean =>
  readNames(provenProofs, account.proven).includes(proof)

/** The session types that provide each proof. `any` lists all session types that verify a debt. */
const provenBy: Readonly<Record<Proof | 'any', string>> = {
  any: 'standard, instant, pre_auth or network',
  owner: 'micro_deposits, plaid, mx or teller',
  number: 'standard, instant, pre_auth or network',
  expiry: 'instant, pre_auth or network',
  cvv: 'pre_auth or network',
  network: 'network',
}

/**
 * Builds the rejection for a product that requires verification. The message names the session types that provide the
 * missing proof.
 */
export const verificationMissing = <Status extends 'restricted' | 'unavailable'>(
  status: Status,
  needs: Proof | 'any',
) => ({
  status,
  subType: 'PRODUCT_VERIFICATION_MISSING' as const,
  message: `The account must be verified before this product can be used. Create a verification session of type ${provenBy[needs]}.`,
})

/** The requirements that a product sets for a debt: institution support, team access and proofs. */
export interface DebtRequirements {
  /** The product's name in the institution's and the team's lists of products. */
  supports: string
  /** The required proof. `any` accepts any verified session. */
  proven?: 'any' | Proof
  /** True if a closed account also qualifies. */
  closed?: boolean
}

/** Returns a product's availability for a debt. Pure. */
export function forDebt(team: Team, account: AccountRow, needs: DebtRequirements): Availability {
  const isOpen = account.status === 'active' || (needs.closed === true && account.status === 'closed')
  if (!isOpen || account.type !== 'liability' || !supportsOf(account).includes(needs.supports)) return unavailable
  if (!team.settings.products.includes(needs.supports)) return notOffered
  if (needs.proven === undefined) return available
  const proven = needs.proven === 'any' ? account.verified_at !== null : isProven(account, needs.proven)
  return proven ? available : verificationMissing('restricted', needs.proven)
}

/**
 * Returns the availability of a subscription. Only debts that a connect found can be monitored; debts that were added
 * by number can't. Pure.
 */
export function forConnectedDebt(team: Team, account: AccountRow, needs: DebtRequirements): Availability {
  return account.fingerprint === null ? unavailable : forDebt(team, account, needs)
}

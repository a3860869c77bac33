import type { Score } from '@causeway/contract/products/credit-score'
import type { Candidate } from '@causeway/contract/products/identity'
import type { Vehicle } from '@causeway/contract/products/vehicle'
import type { Failure, PortCall } from './call.js'
import type { IdentityDetails } from './identity.js'
import type { Liability } from './liability.js'

/** The computed value of an attribute. Attributes that could not be computed are omitted. */
export interface AttributeValue {
  value: number | string | boolean
  metadata?: Record<string, unknown>
}

/** A line in a credit report. Amounts are in cents. */
export interface Tradeline {
  type_code: string | null
  portfolio_type_code: string | null
  designator_code: string | null
  number: string | null
  creditor_name: string | null
  creditor_code: string | null
  balance: number | null
  opened_at: string | null
  closed_at: string | null
}

/** Data that bureaus and registries have about a person. `person` is the reference that matching returned. */
export interface EntityData {
  /**
   * Returns the person's scores. `monthly` is true for the scheduled scores of a subscription. `pending` means that the
   * scores are not available yet. Repeat the call after `again_in` ms. Without `again_in`, the network pushes the
   * scores instead.
   */
  creditScore(
    call: PortCall & { person: string; monthly: boolean },
  ): Promise<{ status: 'completed'; scores: Score[] } | { status: 'pending'; again_in?: number | undefined } | Failure>
  /**
   * Returns everyone who matches the details, or only one person if `person` is set. The answer contains full Social
   * Security numbers.
   */
  identities(
    call: PortCall & { person: string | null; details: IdentityDetails },
  ): Promise<{ status: 'completed'; identities: Candidate[] } | Failure>
  /** Returns attributes by name. The sandbox adds `soft_inquiries` to the person's number of soft inquiries. */
  entityAttributes(
    call: PortCall & { person: string; names: readonly string[]; soft_inquiries: number },
  ): Promise<{ status: 'completed'; attributes: Record<string, AttributeValue> } | Failure>
  vehicles(call: PortCall & { person: string }): Promise<{ status: 'completed'; vehicles: Vehicle[] } | Failure>
  /**
   * Returns the debt for each line of a report, in the same order. A debt is null if the line's institution is unknown.
   */
  readTradelines(
    call: PortCall & { bureau: 'equifax' | 'transunion'; tradelines: readonly Tradeline[] },
  ): Promise<{ status: 'completed'; liabilities: (Liability | null)[] } | Failure>
  /** Returns the debts that simulated events open in the sandbox. Other networks return none. */
  opened(call: PortCall & { person: string; behaviours: readonly { id: string; name: string }[] }): Promise<Liability[]>
}

import type { Score } from '@causeway/contract/products/credit-score'
import type { Candidate } from '@causeway/contract/products/identity'
import type { Vehicle } from '@causeway/contract/products/vehicle'
import type { Details } from './identity/port.js'
import type { Failed, Liability } from './port.js'
import type { Call } from './ports.js'

/** A value that was computed. What is not in the answer could not be: too little is known. */
export interface AttributeValue {
  value: number | string | boolean
  metadata?: Record<string, unknown>
}

/** A line of a credit report. Money in cents. */
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

/** The data of bureaus and registers about a person. `person` is the reference that matching gave. */
export interface EntityData {
  /**
   * The person's scores. `monthly` asks for the regular one of a subscription. `pending`: they arrive later, and asking
   * again does not help.
   */
  creditScore(
    call: Call & { person: string; monthly: boolean },
  ): Promise<{ status: 'completed'; scores: Score[] } | { status: 'pending'; again_in?: number | undefined } | Failed>
  /** Everybody that the details fit: one, where it is known who it is. The answer holds full social security numbers. */
  identities(
    call: Call & { person: string | null; details: Details },
  ): Promise<{ status: 'completed'; identities: Candidate[] } | Failed>
  /** Attributes by name. `soft_inquiries`: the number that the sandbox was asked to add. */
  entityAttributes(
    call: Call & { person: string; names: readonly string[]; soft_inquiries: number },
  ): Promise<{ status: 'completed'; attributes: Record<string, AttributeValue> } | Failed>
  vehicles(call: Call & { person: string }): Promise<{ status: 'completed'; vehicles: Vehicle[] } | Failed>
  /** The debts behind the lines of a report, in their order; null where a line names no known institution. */
  readTradelines(
    call: Call & { bureau: 'equifax' | 'transunion'; tradelines: readonly Tradeline[] },
  ): Promise<{ status: 'completed'; liabilities: (Liability | null)[] } | Failed>
  /** Debts that the sandbox was asked to open. Only the sandbox opens debts on demand: other networks return none. */
  opened(call: Call & { person: string; behaviours: readonly { id: string; name: string }[] }): Promise<Liability[]>
}

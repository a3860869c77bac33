import type { ErrorSubType, ResourceErrorCode } from '@causeway/contract/errors'
import type { Call } from '../ports.js'

/** The source or destination of a payment, as the rail sees it. */
export interface RailAccount {
  id: string
  type: 'ach' | 'liability'
  /** Routing and account number of an ach account. */
  routing: string | null
  number: string | null
  /** The network's reference of a liability account, if it was discovered. */
  reference: string | null
  mch_id: string | null
}

export interface RailPayment {
  payment_id: string
  amount: number
  /** The fee in cents, which the team keeps: the destination receives the amount less the fee. */
  fee: number
  /** Null if the money comes from outside. */
  source: RailAccount | null
  destination: RailAccount
  /** When the payment was created, epoch milliseconds in team time. */
  created_at: number
  /** The business days on which money leaves and arrives, `YYYY-MM-DD`. */
  source_date: string
  destination_date: string
}

export type RailStatus =
  | 'pending'
  | 'processing'
  | 'sent'
  | 'posted'
  | 'failed'
  | 'reversal_required'
  | 'partial_reversal_processing'

/** A reversal: money that is being returned, as the rail sees it. */
export interface RailReversal {
  reversal_id: string
  payment_id: string
  amount: number
  direction: 'debit' | 'credit'
  /** Null if the money is returned outside. */
  target: RailAccount | null
  /** Epoch milliseconds in team time. */
  approved_at: number
  /** The business day on which the money moves, `YYYY-MM-DD`. */
  date: string
}

/** An account at the rail that holds a team's own money. */
export interface ManagedAccount {
  /** A permanent id: `macc_…`. */
  id: string
  routing: string
  number: string
  /** Cents; negative if overdrawn. */
  current_balance: number
  /** Cents, without amounts that have not cleared. */
  available_balance: number
  /** Epoch milliseconds. */
  opened_at: number
}

export interface ManagedTransaction {
  /** A permanent id: `macc_txn_…`. */
  id: string
  description: string
  /** `YYYY-MM-DD`. */
  date: string
  /** Cents: positive for money in, negative for money out. */
  amount: number
}

/** The service that moves money. */
export interface Rail {
  /**
   * Checks that the rail would accept the payment. Nothing is submitted. A refusal names the error that the API
   * returns.
   */
  accepts(
    call: Call & { amount: number; source: RailAccount; destination: RailAccount },
  ): Promise<{ accepted: true } | { accepted: false; sub_type: ErrorSubType }>
  /** Submits the payment, once per payment id. */
  submit(call: Call & RailPayment): Promise<{ status: 'accepted' } | { status: 'refused'; code: ResourceErrorCode }>
  /** Cancels the payment if it has not left yet; otherwise `too_late`. */
  cancel(call: Call & RailPayment): Promise<{ status: 'canceled' | 'too_late' }>
  /** Returns the state of the payment at `now`, and when to query again (epoch milliseconds; null: never). */
  status(call: Call & RailPayment): Promise<{
    status: RailStatus
    code: ResourceErrorCode | null
    source_trace_id: string | null
    destination_trace_id: string | null
    /** The cents that were returned if only part of the payment was; null otherwise. */
    returned: number | null
    next_at: number | null
  }>
  /** Submits a reversal, once per reversal id. */
  reverse(call: Call & RailReversal): Promise<void>
  /** Returns the state of a reversal at `now`, and when to query again. */
  reversal(call: Call & RailReversal): Promise<{
    status: 'pending' | 'processing' | 'sent' | 'failed'
    code: ResourceErrorCode | null
    trace_id: string | null
    next_at: number | null
  }>
  /** Returns the accounts at the rail for the team: few, or none. */
  managedAccounts(call: Call): Promise<{ accounts: ManagedAccount[] }>
  /**
   * Returns a page of an account's transactions, newest first: between two days, inclusive, beginning with the id
   * `start`.
   */
  managedTransactions(
    call: Call & { account: string; from: string | null; to: string | null; start: string | null; limit: number },
  ): Promise<{ transactions: ManagedTransaction[]; next: string | null; previous: string | null }>
}

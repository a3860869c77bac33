import type { ErrorSubType, ResourceErrorCode } from '@causeway/contract/errors'
import type { Call } from '../ports.js'

/** An end of a payment as the rail sees it. */
export interface RailAccount {
  id: string
  type: 'ach' | 'liability'
  /** ach: routing and number. */
  routing: string | null
  number: string | null
  /** liability: the network's reference, where it was discovered. */
  reference: string | null
  mch_id: string | null
}

export interface RailPayment {
  payment_id: string
  amount: number
  /** Cents that the team keeps: the destination gets so much less. */
  fee: number
  /** Null: the money comes in from outside. */
  source: RailAccount | null
  destination: RailAccount
  /** When the payment was made, epoch milliseconds of the team's time. */
  created_at: number
  /** Days on which money leaves and arrives, `YYYY-MM-DD`, from the business-day calendar. */
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

/** Money on its way back, as the rail sees it. */
export interface RailReversal {
  reversal_id: string
  payment_id: string
  amount: number
  direction: 'debit' | 'credit'
  /** Null: the money is returned outside. */
  target: RailAccount | null
  /** Epoch milliseconds of the team's time. */
  approved_at: number
  /** The business day on which it goes, `YYYY-MM-DD`. */
  date: string
}

/** An account that the rail keeps for a team, with the team's own money. */
export interface ManagedAccount {
  /** `macc_…`, for good. */
  id: string
  routing: string
  number: string
  /** Cents; below zero where it is overdrawn. */
  current_balance: number
  /** Cents, without what has not cleared. */
  available_balance: number
  /** Epoch milliseconds. */
  opened_at: number
}

export interface ManagedTransaction {
  /** `macc_txn_…`, for good. */
  id: string
  description: string
  /** `YYYY-MM-DD`. */
  date: string
  /** Cents: positive came in, negative went out. */
  amount: number
}

/** The movement of money. */
export interface Rail {
  /** True if the rail would take the payment; nothing happens. A refusal names the request error that the maker gets. */
  accepts(
    call: Call & { amount: number; source: RailAccount; destination: RailAccount },
  ): Promise<{ accepted: true } | { accepted: false; sub_type: ErrorSubType }>
  /** Hands the payment over, once per payment id. */
  submit(call: Call & RailPayment): Promise<{ status: 'accepted' } | { status: 'refused'; code: ResourceErrorCode }>
  /** Takes it back, where it has not left; `too_late` otherwise. */
  cancel(call: Call & RailPayment): Promise<{ status: 'canceled' | 'too_late' }>
  /** The position of the payment at `now`, and when to ask again (epoch milliseconds; null: never). */
  status(call: Call & RailPayment): Promise<{
    status: RailStatus
    code: ResourceErrorCode | null
    source_trace_id: string | null
    destination_trace_id: string | null
    /** Cents that were returned, if that was only a part of what arrived; null otherwise. */
    returned: number | null
    next_at: number | null
  }>
  /** Hands a reversal over, once per reversal id. */
  reverse(call: Call & RailReversal): Promise<void>
  /** The position of a reversal at `now`, and when to ask again. */
  reversal(call: Call & RailReversal): Promise<{
    status: 'pending' | 'processing' | 'sent' | 'failed'
    code: ResourceErrorCode | null
    trace_id: string | null
    next_at: number | null
  }>
  /** The accounts that it keeps for the team: few, or none. */
  managedAccounts(call: Call): Promise<{ accounts: ManagedAccount[] }>
  /** A page of what moved on one of them, newest first: between days, inclusive, from the id that it starts with on. */
  managedTransactions(
    call: Call & { account: string; from: string | null; to: string | null; start: string | null; limit: number },
  ): Promise<{ transactions: ManagedTransaction[]; next: string | null; previous: string | null }>
}

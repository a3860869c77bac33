import type { ErrorSubType, ResourceErrorCode } from '@causeway/contract/errors'
import type { PortCall } from './call.js'

/** The source or destination of a payment, as sent to the rail. */
export interface RailAccount {
  id: string
  type: 'ach' | 'liability'
  /** The routing and account numbers of an ach account. */
  routing: string | null
  number: string | null
  /** The network's reference for a liability account, if the account was discovered. */
  reference: string | null
  mch_id: string | null
  /** Who holds the account, if it is known. */
  holder?: { name: string; kind: 'person' | 'business' }
  /** The type of an ach account, if it is known. */
  account_type?: 'checking' | 'savings'
  /** The route by which payments reach a destination that is a liability account, if the operator has set it. */
  payee?: RailPayee
  /** The expiration date of a card, if it is known: two and four digits. */
  card?: { exp_month: string; exp_year: string }
}

/** The route by which payments reach a merchant. Templates have been filled in. */
export type RailPayee =
  | {
      route: 'ach'
      routing: string
      /** The account to credit, or `number` to credit the liability account's own number. */
      account: string
      account_type?: 'checking' | 'savings' | 'loan'
      sec: 'ccd' | 'ctx' | 'ppd'
      /** Remittance information for the receiver, such as the borrower's account number. */
      addenda?: string
    }
  | {
      route: 'check'
      /** The name to which the check is payable. */
      name: string
      address: { line1: string; line2: string | null; city: string; state: string; zip: string }
      memo: string
    }
  | { route: 'card_push' }

export interface RailPayment {
  payment_id: string
  amount: number
  /** The fee that the team keeps, in cents. The destination receives `amount` minus `fee`. */
  fee: number
  /** Null if the money comes from an external account. */
  source: RailAccount | null
  destination: RailAccount
  /** The time at which the payment was created, in epoch milliseconds of team time. */
  created_at: number
  /** The business day on which the money leaves the source, as `YYYY-MM-DD`. */
  source_date: string
  /** The business day on which the money arrives at the destination, as `YYYY-MM-DD`. */
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

/** A return, in the rail's own words. */
export interface RailReturn {
  /** The rail's own code, such as `R03`. */
  code: string
  /** In epoch milliseconds. */
  at: number
  /** The return's trace number, or null if there is none. */
  trace: string | null
}

/** Corrected details of an account. Details that are absent did not change. */
export interface RailCorrection {
  routing?: string
  number?: string
  account_type?: 'checking' | 'savings' | 'loan'
}

/** A reversal (money that is being returned), as sent to the rail. */
export interface RailReversal {
  reversal_id: string
  payment_id: string
  amount: number
  direction: 'debit' | 'credit'
  /** Null if the money is returned to an external account. */
  target: RailAccount | null
  /** In epoch milliseconds of team time. */
  approved_at: number
  /** The business day on which the money moves, as `YYYY-MM-DD`. */
  date: string
}

/** An account that holds a team's money at the rail. */
export interface ManagedAccount {
  /** A permanent id: `macc_…`. */
  id: string
  routing: string
  number: string
  /** In cents. Negative if overdrawn. */
  current_balance: number
  /** In cents, excluding amounts that have not cleared. */
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
  /** In cents. Positive for money in, negative for money out. */
  amount: number
}

/** A transaction that the team requested in the sandbox. */
export interface SimulatedTransaction {
  id: string
  /** In cents. Positive for money in, negative for money out. */
  amount: number
  /** The time of the transaction, in epoch milliseconds of team time. */
  at: number
}

/** The service that moves money. */
export interface Rail {
  /**
   * Checks that the rail would accept the payment, without submitting it. A refusal includes the error that the API
   * returns.
   */
  accepts(
    call: PortCall & { amount: number; source: RailAccount; destination: RailAccount },
  ): Promise<{ accepted: true } | { accepted: false; sub_type: ErrorSubType }>
  /** Submits the payment. The rail accepts each payment id only once. */
  submit(call: PortCall & RailPayment): Promise<{ status: 'accepted' } | { status: 'refused'; code: ResourceErrorCode }>
  /** Cancels the payment if the money has not left yet. Otherwise, returns `too_late`. */
  cancel(call: PortCall & RailPayment): Promise<{ status: 'canceled' | 'too_late' }>
  /**
   * Returns the payment's state at `now`. `next_at` is the time at which to query again, in epoch milliseconds, or null
   * if no further query is needed.
   */
  status(call: PortCall & RailPayment): Promise<{
    status: RailStatus
    code: ResourceErrorCode | null
    source_trace_id: string | null
    destination_trace_id: string | null
    /** If only part of the payment was returned, the amount of that part in cents; otherwise, null. */
    returned: number | null
    next_at: number | null
    /** The rail's own word for a return or a failure. */
    returned_as?: RailReturn | null
    /** The rail's own ids of what it did for the payment, as its statement names them. */
    transfers?: string[]
    /** The latest notification that later payments must use other details. The payment itself is not affected. */
    noc?: { code: string; at: number } | null
    /** The details that the notification corrects. */
    corrected?: RailCorrection | null
  }>
  /** Submits a reversal. The rail accepts each reversal id only once. */
  reverse(call: PortCall & RailReversal): Promise<void>
  /** Returns a reversal's state at `now`, and the time at which to query again. */
  reversal(call: PortCall & RailReversal): Promise<{
    status: 'pending' | 'processing' | 'sent' | 'failed'
    code: ResourceErrorCode | null
    trace_id: string | null
    next_at: number | null
    transfers?: string[]
  }>
  /**
   * Returns the team's accounts at the rail, if any. The list is short. Only a test network adds `simulated` to the
   * transactions of the team's account.
   */
  managedAccounts(
    call: PortCall & { simulated?: readonly SimulatedTransaction[] },
  ): Promise<{ accounts: ManagedAccount[] }>
  /**
   * Returns a page of an account's transactions between two days, inclusive, latest first. The page begins with the
   * transaction whose id is `start`.
   */
  managedTransactions(
    call: PortCall & {
      account: string
      from: string | null
      to: string | null
      start: string | null
      limit: number
      simulated?: readonly SimulatedTransaction[]
    },
  ): Promise<{ transactions: ManagedTransaction[]; next: string | null; previous: string | null }>
}

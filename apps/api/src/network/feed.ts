import type { Failed, Liability } from './port.js'
import type { Call } from './ports.js'

/**
 * The subjects to watch: an account's updates, its card and its transactions by the account's reference; a person's
 * accounts by theirs.
 */
export type FeedKind = 'update' | 'card' | 'transaction' | 'account'

export interface FeedCall extends Call {
  kind: FeedKind
  /** The reference that `discover`, `describe` or matching gave. */
  of: string
  /** Nothing up to then is wanted. Team time, epoch milliseconds. */
  from: number
  /** The `cursor` of the answer before, so that an answer continues where that one ended; null: the first one. */
  since: string | null
  /** Nothing after it is wanted yet. */
  until: number
  /** The approximate number to take at a time. */
  limit: number
}

/** A purchase as its card's network tells it. Cents. */
export interface Posting {
  status: 'pending' | 'posted' | 'voided'
  descriptor: string
  merchant_category_code: string
  amount: number
  currency_code: string
  /** Epoch milliseconds. */
  transacted_at: number
}

/**
 * Something that happened. `id` is permanent and unique among the events of one kind of one account or person, so that
 * a repeated event is recognized. A transaction keeps its id while its status moves.
 */
export type Change = { id: string; at: number } & (
  | { type: 'update'; data: Record<string, unknown> }
  | { type: 'card'; brands: readonly string[]; number: string | null }
  | { type: 'transaction'; posting: Posting }
  | { type: 'account'; liability: Liability }
)

/**
 * Events as a list that continues from a cursor. A network that is polled answers with its current data; a network that
 * pushes stores what it received and answers from there.
 */
export interface Feed {
  /**
   * The oldest changes after `since` and `from`, up to `until`, oldest first. `cursor` goes into the next call. `next`: when
   * the next one can be expected, epoch milliseconds; null: unknown, and it is asked now and then.
   */
  changes(
    call: FeedCall,
  ): Promise<{ status: 'completed'; changes: Change[]; cursor: string | null; next: number | null } | Failed>
}

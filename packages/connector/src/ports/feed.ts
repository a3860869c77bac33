import type { Failure, PortCall } from './call.js'
import type { Liability } from './liability.js'

/**
 * The subject of a feed: an account's updates, card or transactions, or a person's accounts. The account or person is
 * identified by its reference.
 */
export type FeedKind = 'update' | 'card' | 'transaction' | 'account'

export interface FeedCall extends PortCall {
  kind: FeedKind
  /** The reference that `discover`, `describe` or matching returned. */
  of: string
  /** Only changes after this time are returned. The time is on the team's clock, in epoch milliseconds. */
  from: number
  /** The `cursor` from the previous answer. The list starts after this cursor. Null for the first call. */
  since: string | null
  /** Only changes up to this time are returned. */
  until: number
  /** The approximate number of changes to return. */
  limit: number
}

/** A purchase as reported by the card network. Amounts are in cents. */
export interface CardPosting {
  status: 'pending' | 'posted' | 'voided'
  descriptor: string
  merchant_category_code: string
  amount: number
  currency_code: string
  /** Epoch milliseconds. */
  transacted_at: number
}

/**
 * A change. `id` is permanent and unique within a feed, so that duplicates can be detected. A transaction keeps its id
 * when its status changes.
 */
export type NetworkChange = { id: string; at: number } & (
  | { type: 'update'; data: Record<string, unknown> }
  | { type: 'card'; brands: readonly string[]; number: string | null }
  | { type: 'transaction'; posting: CardPosting }
  | { type: 'account'; liability: Liability }
)

/**
 * Lists changes, continuing from a cursor. A network that is polled returns its current data. A network that pushes
 * changes stores them and returns the stored changes.
 */
export interface Feed {
  /**
   * Returns the oldest changes after `since` and `from`, up to `until`, oldest first. Pass `cursor` as `since` in the
   * next call. `next` is the time at which to expect more changes, in epoch milliseconds. If `next` is null, that time
   * is unknown, so the service polls periodically.
   */
  changes(
    call: FeedCall,
  ): Promise<{ status: 'completed'; changes: NetworkChange[]; cursor: string | null; next: number | null } | Failure>
}

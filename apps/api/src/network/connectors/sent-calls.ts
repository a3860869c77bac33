import type { Store } from '../../platform/db/store.js'

/** Tracks which actions may already have been sent. */
export interface SentCalls {
  /**
   * Records that an action is about to be sent. Returns true if the action was already recorded. In that case, the
   * caller must query the action's outcome before sending the action.
   */
  recordSend(method: string, request_id: string, team_id: string): Promise<boolean>
}

/**
 * Stores the actions, so that a process that takes over a job after a crash can find them. `recordSend` must not be
 * called inside a transaction.
 */
export function createSentCalls(store: Store, clock: () => number): SentCalls {
  return {
    async recordSend(method, request_id, team_id) {
      const inserted = await store.write(tx =>
        tx
          .insertInto('connector_acts')
          .values({ method, request_id, team_id, sent_at: clock() })
          .onConflict(conflict => conflict.columns(['team_id', 'method', 'request_id']).doNothing())
          .returning('sent_at')
          .executeTakeFirst(),
      )
      return inserted === undefined
    },
  }
}

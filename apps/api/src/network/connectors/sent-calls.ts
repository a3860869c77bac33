import type { Store } from '../../platform/db/store.js'

/** Which acts may have left already. */
export interface Sent {
  /** Records that an action is about to leave. True if it was recorded before: then query its outcome. */
  before(method: string, request_id: string, team_id: string): Promise<boolean>
}

/** Kept in the store for the process that takes the job over after a crash. Not to be called inside a transaction. */
export function createSent(store: Store, clock: () => number): Sent {
  return {
    async before(method, request_id, team_id) {
      const put = await store.write(tx =>
        tx
          .insertInto('connector_acts')
          .values({ method, request_id, team_id, sent_at: clock() })
          .onConflict(conflict => conflict.columns(['team_id', 'method', 'request_id']).doNothing())
          .returning('sent_at')
          .executeTakeFirst(),
      )
      return put === undefined
    },
  }
}

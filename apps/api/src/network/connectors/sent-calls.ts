import type { Store } from '../../platform/db/store.js'

/** Which acts may have left already. */
export interface Sent {
  /** Puts down that an act is about to leave. True where it was put down before: then what came of it is to be asked. */
  before(method: string, request_id: string, team_id: string): Promise<boolean>
}

/** Kept in the store, so that whoever takes a job over after a crash knows. Not to be called inside a transaction. */
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

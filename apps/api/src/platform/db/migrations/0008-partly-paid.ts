import type { AddedIndex } from '../added-index.js'

/** Finds the sessions whose release could not pay every account. Queries must use the same condition as the index. */
export const partlyPaidIndexes = (): Record<string, AddedIndex> => ({
  sessions_partly_paid: { table: 'sessions', columns: 'team_id, id', where: "payment_errors <> '{}'" },
})

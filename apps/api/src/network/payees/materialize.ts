import type { Store } from '../../platform/db/types.js'
import { type PayeeDetails, payableThrough } from './payee.js'

/** The number of accounts that one transaction changes. */
const BATCH_SIZE = 500

/**
 * Applies a merchant's payee to the debts that are already connected, in all teams. Accounts that are not active keep
 * their value.
 * @param details null if the merchant has no payee any more
 * @param routes the ways in which the rail pays debts; none if it does not use the directory
 * @returns the number of accounts that changed
 */
export async function applyPayee(
  store: Store,
  merchant: string,
  details: PayeeDetails | null,
  routes: readonly PayeeDetails['route'][],
): Promise<number> {
  // The rail knows itself how merchants are paid.
  if (routes.length === 0) return 0
  let changed = 0
  const teams = await store.reader.selectFrom('teams').select('id').orderBy('id').execute()
  for (const { id: team } of teams)
    for (let after = ''; ; ) {
      const rows = await store.reader
        .selectFrom('accounts')
        .select(['id', 'number', 'payable'])
        .where('team_id', '=', team)
        .where('mch_id', '=', merchant)
        .where('id', '>', after)
        .orderBy('id')
        .limit(BATCH_SIZE)
        .execute()
      if (rows.length === 0) break
      after = rows.at(-1)!.id
      for (const payable of ['yes', 'needs_number', 'no'] as const) {
        const ids = rows.filter(
          row => payableThrough(details, row.number !== null, routes) === payable && row.payable !== payable,
        )
        if (ids.length === 0) continue
        const { numUpdatedRows } = await store.write(tx =>
          tx
            .updateTable('accounts')
            .set({ payable })
            .where('team_id', '=', team)
            .where(
              'id',
              'in',
              ids.map(({ id }) => id),
            )
            .where('type', '=', 'liability')
            .where('status', '=', 'active')
            .executeTakeFirstOrThrow(),
        )
        changed += Number(numUpdatedRows)
      }
    }
  return changed
}

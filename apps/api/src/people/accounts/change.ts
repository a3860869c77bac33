import { emitAll } from '../../notify/emit.js'
import type { Scope } from '../../platform/scope.js'
import { type AccountRow, isShared } from '../holders/account.js'
import { showAccount } from '../holders/show-account.js'
import { holderChanges, productChanges } from '../records/product-objects.js'

/**
 * Emits the events for a new account and for the products that it can have.
 * @param latest the ids of the account's latest records, by product
 */
export async function emitNewAccount(
  scope: Scope,
  row: AccountRow,
  latest: Record<string, string> = {},
): Promise<Record<string, unknown> & { id: string }> {
  const shown = showAccount(scope, row, latest)
  await emitAll(scope, [
    { type: 'account.create', after: shown, before: null },
    ...(await productChanges(scope, null, row)),
  ])
  return shown
}

/**
 * Updates an account's row. Emits the account's event, and the events for products whose availability changed. Leaves a
 * withdrawn account unchanged. Emits no events for an account that the team can't see.
 */
export async function updateAccount(
  scope: Scope,
  before: AccountRow,
  change: Partial<AccountRow>,
): Promise<AccountRow> {
  if (before.withdrawn_at !== null) return before
  const row = await scope.db
    .updateTable('accounts')
    .set({ ...change, updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (!isShared(row)) return row
  const { latest, products } = await holderChanges(scope, before, row)
  await emitAll(scope, [
    { type: 'account.update', after: showAccount(scope, row, latest), before: showAccount(scope, before, latest) },
    ...products,
  ])
  return row
}

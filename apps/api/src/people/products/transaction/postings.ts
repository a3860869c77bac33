import type { NetworkChange } from '@causeway/connector/ports/feed'
import { emit } from '../../../notify/emit.js'
import type { Scope } from '../../../platform/scope.js'
import { showTime } from '../../../platform/show.js'
import { addTransaction, type Purchase, purchaseJson, showTransaction, statusOf } from './store.js'

/**
 * Stores a purchase that a card's network reported. Each purchase has one record, which is pending until the purchase
 * is posted or voided.
 */
export async function storePurchase(
  scope: Scope,
  account: string,
  { id, at, posting }: Extract<NetworkChange, { type: 'transaction' }>,
  subscription: string,
): Promise<string | null> {
  const { status, transacted_at, ...rest } = posting
  const purchase: Purchase = {
    ...rest,
    merchant: null,
    transacted_at: showTime(transacted_at),
    posted_at: status === 'posted' ? showTime(at) : null,
    voided_at: status === 'voided' ? showTime(at) : null,
  }
  const inserted = await addTransaction(scope, account, purchase, subscription, id)
  if (inserted) return inserted.id
  return updatePurchase(scope, account, id, purchase)
}

/**
 * Updates a pending purchase.
 * @returns its id; null if it was no longer pending
 */
async function updatePurchase(
  scope: Scope,
  account: string,
  change: string,
  purchase: Purchase,
): Promise<string | null> {
  const status = statusOf(purchase)
  if (status === 'pending') return null
  const before = await scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', account)
    .where('product', '=', 'transaction')
    .where('change', '=', change)
    .executeTakeFirstOrThrow()
  const row = await scope.db
    .updateTable('records')
    .set({ status, data: purchaseJson.write(purchase), updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()
  if (!row) return null
  await emit(scope, 'transaction.update', showTransaction(row), showTransaction(before))
  return row.id
}

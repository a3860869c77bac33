import { resourceError } from '@causeway/contract/errors'
import { scrubEvents } from '../events/store.js'
import { scrubAnswers } from '../http/idempotency.js'
import type { Body, Holder } from '../products/product.js'
import { kindOf, sealedProducts } from '../products/rules.js'
import type { Scope } from '../scope.js'
import { endSubscriptions } from '../subscriptions/store.js'

/** Ends what is still being asked about a holder: whatever comes of it is not kept. */
export async function endRecords(scope: Scope, holder: string): Promise<void> {
  await scope.db
    .updateTable('records')
    .set({ status: 'failed', error: JSON.stringify(resourceError(24001)), updated_at: scope.now })
    .where('holder_id', '=', holder)
    .where('status', 'in', ['pending', 'in_progress'])
    .execute()
}

/**
 * Deletes what is kept about a holder beside its own row: what records say, what events told, what answers showed. The ids
 * stay, so that what the customer has of them still leads somewhere. Source: rulings 20.
 * @param shown the holder as it is shown from now on
 */
export async function scrub(scope: Scope, holder: Holder, shown: Body): Promise<void> {
  const { db } = scope
  await endSubscriptions(scope, holder.id)
  const records = await db.selectFrom('records').select('id').where('holder_id', '=', holder.id).execute()
  // What was bought has no shape without its data.
  await db.deleteFrom('records').where('holder_id', '=', holder.id).where('product', '=', 'transaction').execute()
  await db.updateTable('records').set({ data: null, change: null }).where('holder_id', '=', holder.id).execute()
  await db
    .updateTable('records')
    .set({ request: '{}' })
    .where('holder_id', '=', holder.id)
    .where('product', 'in', ['', ...sealedProducts(scope.deps.offers, kindOf(holder.id))])
    .execute()
  await db.deleteFrom('latest').where('holder_id', '=', holder.id).execute()
  await db.deleteFrom('behaviours').where('entity_id', '=', holder.id).execute()
  await scrubEvents(scope, [holder.id, ...records.map(row => row.id)])
  await scrubAnswers(scope, holder.id, shown)
}

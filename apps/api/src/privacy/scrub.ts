import { resourceCodes, resourceError } from '@causeway/contract/errors'
import type { EventType } from '@causeway/contract/events'
import { scrubForwarding } from '../forwarding/holders.js'
import { emit, eraseEventData } from '../notify/emit.js'
import { deleteFilesOf } from '../people/files/store.js'
import { isAgreed } from '../people/holders/consent-rules.js'
import type { Body, Holder, RecordRow } from '../people/holders/product.js'
import { kindOf, productOf, sealedProducts } from '../people/holders/product-rules.js'
import { isVisible } from '../people/holders/store.js'
import { endSubscriptions } from '../people/subscriptions/store.js'
import { writeJson } from '../platform/db/json.js'
import { scrubAnswers } from '../platform/http/pipeline/idempotency.js'
import type { Scope } from '../platform/scope.js'

/** Returns the event type for a change to a record. A record belongs to a product or is a verification session. */
function updateEventOf(scope: Scope, { product, holder_id }: RecordRow): EventType | undefined {
  if (product === 'entity_verification_session' || product === 'account_verification_session')
    return `${product}.update`
  return productOf(scope.deps.offers, { product, holder_id })?.events.update
}

/**
 * Marks a holder's unfinished records as failed so that their results aren't stored. Emits events about those that the
 * team can read.
 */
export async function failOpenRecords(scope: Scope, holder: Holder): Promise<void> {
  const error = resourceError(resourceCodes.PRODUCT_EXECUTION_FAILED)
  const failedRecords = await scope.db
    .updateTable('records')
    .set({ status: 'failed', error: writeJson(error), updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder.id)
    .where('status', 'in', ['pending', 'in_progress'])
    .returningAll()
    .execute()
  if (!isVisible(holder)) return
  for (const row of failedRecords) {
    const type = isAgreed(holder, row.product) ? updateEventOf(scope, row) : undefined
    const resource = { id: row.id, [`${kindOf(holder.id)}_id`]: holder.id, status: row.status, error }
    if (type) await emit(scope, type, resource)
  }
}

/**
 * Deletes the data about a holder that is stored outside the holder's own row: the contents of records, events and
 * stored responses. Keeps the ids so the customer's references remain valid.
 * @param resource the holder in its API format after the deletion
 */
export async function scrubHolderData(scope: Scope, holder: Holder, resource: Body): Promise<void> {
  const { db, team } = scope
  await endSubscriptions(scope, holder.id)
  await scrubReceivedData(scope, holder, resource)
  // A purchase can't be shown without its data, so its record is deleted.
  await db
    .deleteFrom('records')
    .where('team_id', '=', team.id)
    .where('holder_id', '=', holder.id)
    .where('product', '=', 'transaction')
    .execute()
  await db
    .updateTable('records')
    .set({ data: null, change: null })
    .where('team_id', '=', team.id)
    .where('holder_id', '=', holder.id)
    .execute()
  await db
    .updateTable('records')
    .set({ request: '{}' })
    .where('team_id', '=', team.id)
    .where('holder_id', '=', holder.id)
    .where('product', 'in', ['', ...sealedProducts(scope.deps.offers, kindOf(holder.id))])
    .execute()
  await db.deleteFrom('latest').where('team_id', '=', team.id).where('holder_id', '=', holder.id).execute()
  await db.deleteFrom('behaviours').where('team_id', '=', team.id).where('entity_id', '=', holder.id).execute()
  // The reasons that console users gave may contain notes about the person.
  await db
    .updateTable('audit')
    .set({ reason: null })
    .where('team_id', '=', team.id)
    .where('reason', 'is not', null)
    .where('resource_id', 'in', from =>
      from
        .selectFrom('payments')
        .select('id')
        .where('team_id', '=', team.id)
        .where('destination', '=', holder.id)
        .union(
          from.selectFrom('sessions').select('id').where('team_id', '=', team.id).where('entity_id', '=', holder.id),
        )
        .union(from.selectFrom('entities').select('id').where('team_id', '=', team.id).where('id', '=', holder.id)),
    )
    .execute()
  await db
    .deleteFrom('payment_notices')
    .where('team_id', '=', team.id)
    .where('payment_id', 'in', from =>
      from.selectFrom('payments').select('id').where('team_id', '=', team.id).where('destination', '=', holder.id),
    )
    .execute()
}

/**
 * Deletes the copies of a holder's data that the customer received and can still retrieve: the contents of events,
 * forwarded requests, stored responses and files.
 * @param resource the holder in its API format after the deletion
 */
export async function scrubReceivedData(scope: Scope, holder: Holder, resource: Body): Promise<void> {
  const records = await scope.db
    .selectFrom('records')
    .select('id')
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder.id)
    .execute()
  // A person's credit report shows each of their accounts.
  await deleteFilesOf(scope, 'holder_id' in holder ? holder.holder_id : holder.id)
  await scrubForwarding(scope, holder.id)
  await eraseEventData(scope, [holder.id, ...records.map(row => row.id)])
  await scrubAnswers(scope, holder.id, resource, 'holder_id' in holder ? holder.holder_id : undefined)
}

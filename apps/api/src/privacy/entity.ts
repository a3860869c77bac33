import { resourceCodes, resourceError, ServiceError } from '@causeway/contract/errors'
import { sql } from 'kysely'
import { clearBearerProofs } from '../flow/session/bearer-proof.js'
import { emit } from '../notify/emit.js'
import { blankDetails, type EntityRow } from '../people/holders/entity.js'
import { detailColumns, showEntity } from '../people/holders/show-entity.js'
import { endLinks } from '../people/links/job.js'
import { emitProductChanges } from '../people/records/product-objects.js'
import { writeJson } from '../platform/db/json.js'
import { lockRows } from '../platform/db/row-locks.js'
import type { Scope } from '../platform/scope.js'
import { hasPaymentInProgress, withdrawAccount } from './account.js'
import { failOpenRecords, scrubHolderData } from './scrub.js'

async function saveEntity(scope: Scope, entity: EntityRow, change: Partial<EntityRow>): Promise<EntityRow> {
  const row = await scope.db
    .updateTable('entities')
    .set({ ...change, updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', entity.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const resource = showEntity(scope, row, {})
  if (row.withdrawn_at !== null) await scrubHolderData(scope, row, resource)
  await emit(scope, 'entity.update', resource)
  await emitProductChanges(scope, entity, row)
  return row
}

/**
 * Disables an entity and its accounts, and deletes their data. The caller must have locked the entity's row. Throws an
 * error if consent can't be withdrawn.
 */
export async function withdrawEntity(scope: Scope, entity: EntityRow): Promise<EntityRow> {
  if (entity.withdrawn_at !== null) throw new ServiceError('ENTITY_CONSENT_ALREADY_WITHDRAWN')
  if (await hasPaymentInProgress(scope, 'holder', entity.id)) throw new ServiceError('ENTITY_HAS_PAYMENTS_IN_PROGRESS')
  await failOpenRecords(scope, entity)
  const query = scope.db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', entity.id)
    .orderBy('id')
  for (const account of await lockRows(scope.db, query).execute())
    if (account.withdrawn_at === null) await withdrawAccount(scope, account)
  // Increments the revision so that calls based on an outdated view of the session are rejected. Each of the entity's
  // sessions then asks for consent again, because earlier consent no longer counts in any session.
  await scope.db
    .updateTable('sessions')
    .set(row => ({
      inline_entity: null,
      revision: row('revision', '+', 1),
      // mutant: withdrawal-ends-agreements (remove)
      progress: sql<string>`replace(progress, '"consented":true', '"consented":false')`,
    }))
    .where('team_id', '=', scope.team.id)
    .where('entity_id', '=', entity.id)
    .execute()
  await clearBearerProofs(scope, entity.id)
  await endLinks(scope, entity)
  await scope.db
    .deleteFrom('name_words')
    .where('team_id', '=', scope.team.id)
    .where('entity_id', '=', entity.id)
    .execute()
  return saveEntity(scope, entity, {
    status: 'disabled',
    error: writeJson(resourceError(resourceCodes.ENTITY_CONSENT_WITHDRAWN)),
    withdrawn_at: scope.now,
    details: null,
    typed: '[]',
    nameable: 0,
    person: null,
    matched: 0,
    phone_verified_at: null,
    phone_proved_at: null,
    phone_session: null,
    identity_verified_at: null,
    identity_session: null,
    subscribed: '[]',
    element_connect_at: null,
    future_accounts_at: null,
    agreed: null,
    match_job: null,
    metadata: null,
  })
}

/** Reactivates a withdrawn entity as if it were new, without any data. The entity's old accounts remain disabled. */
export async function grantEntity(scope: Scope, entity: EntityRow): Promise<EntityRow> {
  if (entity.withdrawn_at === null) throw new ServiceError('ENTITY_CONSENT_ALREADY_GRANTED')
  return saveEntity(scope, entity, {
    ...detailColumns(scope, entity.id, blankDetails),
    status: entity.type === 'corporation' ? 'active' : 'incomplete',
    error: null,
    withdrawn_at: null,
  })
}

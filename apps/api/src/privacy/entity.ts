import { resourceCodes, resourceError, ServiceError } from '@causeway/contract/errors'
import { sql } from 'kysely'
import { clearBearerProofs } from '../flow/sessions/proof.js'
import { emit } from '../notify/events/store.js'
import { blankDetails, type EntityRow } from '../people/entities/entity.js'
import { detailColumns, showEntity } from '../people/entities/show.js'
import { tellProducts } from '../people/products/objects.js'
import { writeJson } from '../platform/db/json.js'
import { locked } from '../platform/db/row-locks.js'
import type { Scope } from '../platform/scope.js'
import { hasPaymentInProgress, withdrawAccount } from './account.js'
import { endRecords, scrub } from './scrub.js'

async function save(scope: Scope, before: EntityRow, change: Partial<EntityRow>): Promise<EntityRow> {
  const row = await scope.db
    .updateTable('entities')
    .set({ ...change, updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const shown = showEntity(scope, row, {})
  if (row.withdrawn_at !== null) await scrub(scope, row, shown)
  await emit(scope, 'entity.update', shown)
  await tellProducts(scope, before, row)
  return row
}

/**
 * Disables an entity and its accounts, and deletes their data. The caller must have locked the entity's row. Throws an
 * error if consent can't be withdrawn.
 */
export async function withdrawEntity(scope: Scope, before: EntityRow): Promise<EntityRow> {
  if (before.withdrawn_at !== null) throw new ServiceError('ENTITY_CONSENT_ALREADY_WITHDRAWN')
  if (await hasPaymentInProgress(scope, 'holder', before.id)) throw new ServiceError('ENTITY_HAS_PAYMENTS_IN_PROGRESS')
  await endRecords(scope, before.id)
  const query = scope.db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', before.id)
    .orderBy('id')
  for (const account of await locked(scope.db, query).execute())
    if (account.withdrawn_at === null) await withdrawAccount(scope, account)
  // Increments the revision so that calls based on an outdated view of the session are rejected. Each of the entity's
  // sessions then asks for consent again, because earlier consent no longer counts in any session.
  await scope.db
    .updateTable('sessions')
    .set(row => ({
      inline_entity: null,
      revision: row('revision', '+', 1),
      progress: sql<string>`replace(progress, '"consented":true', '"consented":false')`,
    }))
    .where('team_id', '=', scope.team.id)
    .where('entity_id', '=', before.id)
    .execute()
  await clearBearerProofs(scope, before.id)
  await scope.db
    .deleteFrom('name_words')
    .where('team_id', '=', scope.team.id)
    .where('entity_id', '=', before.id)
    .execute()
  // The reason given for revealing a value may contain notes about the person.
  await scope.db
    .updateTable('audit')
    .set({ reason: null })
    .where('team_id', '=', scope.team.id)
    .where('resource_id', '=', before.id)
    .where('reason', 'is not', null)
    .execute()
  return save(scope, before, {
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
    metadata: null,
  })
}

/** Reactivates a withdrawn entity as if it were new, without any data. The entity's old accounts remain disabled. */
export async function grantEntity(scope: Scope, before: EntityRow): Promise<EntityRow> {
  if (before.withdrawn_at === null) throw new ServiceError('ENTITY_CONSENT_ALREADY_GRANTED')
  return save(scope, before, {
    ...detailColumns(scope, before.id, blankDetails),
    status: before.type === 'corporation' ? 'active' : 'incomplete',
    error: null,
    withdrawn_at: null,
  })
}

import { emitAll } from '../../notify/events/store.js'
import { createId } from '../../platform/crypto/random.js'
import type { Json } from '../../platform/db/json.js'
import type { Metadata } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'
import { holderChanges, productChanges } from '../products/objects.js'
import { pointers } from '../products/store.js'
import { type EntityDetails, type EntityRow, isVerified } from './entity.js'
import type { NewEntity } from './input.js'
import { detailColumns, nameWords, showEntity } from './show.js'

export async function findEntity(scope: Scope, id: string): Promise<EntityRow | undefined> {
  return scope.db
    .selectFrom('entities')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Finds an entity and locks it until the transaction ends. */
export async function lockEntity(scope: Scope, id: string): Promise<EntityRow | undefined> {
  const query = scope.db.selectFrom('entities').selectAll().where('team_id', '=', scope.team.id).where('id', '=', id)
  return scope.deps.store.lock(query).executeTakeFirst()
}

/**
 * Stores a new entity. If the name and phone are known, enqueues a job that asks the network to identify the entity.
 * @param awaited true if the caller settles the job
 * @returns the entity and that job
 */
export async function insertEntity(
  scope: Scope,
  { type, kind, details }: NewEntity,
  metadata: Json<Metadata> | null,
  awaited = true,
): Promise<{ row: EntityRow; job: string | null }> {
  const id = createId('entity', scope.now)
  const row = await scope.db
    .insertInto('entities')
    .values({
      id,
      team_id: scope.team.id,
      type,
      kind,
      status: type === 'corporation' ? 'active' : 'incomplete',
      ...detailColumns(scope, id, details),
      typed: '[]',
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
      withdrawn_at: null,
      error: null,
      metadata,
      created_at: scope.now,
      updated_at: scope.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepNameWords(scope, row)
  await emitAll(scope, [
    { type: 'entity.create', after: showEntity(scope, row, {}), before: null },
    ...(await productChanges(scope, null, row)),
  ])
  return { row, job: await askMatch(scope, row, details, awaited) }
}

/** Replaces an entity's search words with those of its current name and phone. */
export async function keepNameWords(scope: Scope, row: EntityRow): Promise<void> {
  await scope.db.deleteFrom('name_words').where('team_id', '=', scope.team.id).where('entity_id', '=', row.id).execute()
  const words = nameWords(scope, row).map(word => ({ team_id: scope.team.id, word, entity_id: row.id }))
  if (words.length > 0)
    await scope.db
      .insertInto('name_words')
      .values(words)
      .onConflict(known => known.doNothing())
      .execute()
}

/**
 * Enqueues a job that matches the entity to a person, if enough details are known.
 * @param awaited true if the caller settles the job
 */
export async function askMatch(
  scope: Scope,
  row: EntityRow,
  details: EntityDetails,
  awaited = true,
): Promise<string | null> {
  if (row.type !== 'individual' || row.matched === 1 || !details.phone || !details.first_name || !details.last_name)
    return null
  return scope.deps.jobs.enqueue(scope, {
    kind: 'entity.match',
    payload: { entity: row.id },
    clocked: false,
    ...(awaited ? { awaited: true as const, facts: row } : {}),
  })
}

/**
 * Changes an entity's row and emits its event. The status is derived from the verified proofs. A withdrawn entity does
 * not change.
 */
export async function updateEntity(scope: Scope, before: EntityRow, change: Partial<EntityRow>): Promise<EntityRow> {
  if (before.withdrawn_at !== null) return before
  const merged = { ...before, ...change }
  const status =
    merged.type === 'individual' && merged.status === 'incomplete' && isVerified(merged) ? 'active' : merged.status
  const row = await scope.db
    .updateTable('entities')
    .set({ ...change, status, updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (change.details) await keepNameWords(scope, row)
  const { latest, products } = await holderChanges(scope, before, row)
  await emitAll(scope, [
    { type: 'entity.update', after: showEntity(scope, row, latest), before: showEntity(scope, before, latest) },
    ...products,
  ])
  return row
}

/**
 * Returns entities in their GET format, with their pointers. Runs one additional query, regardless of the number of
 * entities.
 */
export async function showEntities(scope: Scope, rows: readonly EntityRow[]) {
  const latest = await pointers(
    scope,
    rows.map(row => row.id),
  )
  return rows.map(row => showEntity(scope, row, latest.get(row.id) ?? {}))
}

import { emitAll } from '../../notify/emit.js'
import { createId, createJobId } from '../../platform/crypto/random.js'
import type { Json, Metadata } from '../../platform/db/tables.js'
import { type Scope, type Writer, writeRows } from '../../platform/scope.js'
import { type EntityDetails, type EntityRow, isVerified } from '../holders/entity.js'
import { detailColumns, nameWords, showEntity } from '../holders/show-entity.js'
import { holderChanges, productChanges } from '../records/product-objects.js'
import { findLatestIds } from '../records/store.js'
import type { NewEntity } from './input.js'

/** Options for the job that matches an entity to a person. */
interface MatchOptions {
  /** True if the caller runs the job with `settle`. Default: true. */
  awaited?: boolean
  /** True if a match with full details verifies the person, without a verification session of the caller. */
  verifies?: boolean
}

/**
 * Stores a new entity. If the name and phone are known, enqueues a job that matches the entity to a person.
 * @returns the entity and that job
 */
export async function insertEntity(
  scope: Scope,
  { type, kind, details }: NewEntity,
  metadata: Json<Metadata> | null,
  options: MatchOptions = {},
): Promise<{ row: EntityRow; job: string | null }> {
  const id = createId('entity', scope.now)
  const match_job = matchJobOf({ type, matched: 0 }, details)
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
      agreed: null,
      match_job,
      withdrawn_at: null,
      error: null,
      metadata,
      created_at: scope.now,
      updated_at: scope.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await storeNameWords(scope, row)
  await emitAll(scope, [
    { type: 'entity.create', after: showEntity(scope, row, {}), before: null },
    ...(await productChanges(scope, null, row)),
  ])
  return { row, job: await enqueueMatch(scope, row, details, options) }
}

/**
 * Replaces an entity's search words with those of its current name and phone.
 * @param before the entity as it was when its words were last stored. If given, only changed words are written;
 * otherwise, all words are replaced
 */
export async function storeNameWords(scope: Scope, row: EntityRow, before?: EntityRow): Promise<void> {
  const words = nameWords(scope, row)
  const storedBefore = before && nameWords(scope, before)
  const removed = storedBefore?.filter(word => !words.includes(word))
  if (removed === undefined || removed.length > 0)
    await scope.db
      .deleteFrom('name_words')
      .where('team_id', '=', scope.team.id)
      .where('entity_id', '=', row.id)
      .$if(removed !== undefined, query => query.where('word', 'in', removed!))
      .execute()
  const added = words.filter(word => !storedBefore?.includes(word))
  if (added.length > 0)
    await scope.db
      .insertInto('name_words')
      .values(added.map(word => ({ team_id: scope.team.id, word, entity_id: row.id })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

/** Returns the id of a new job that matches an entity to a person; null if the entity is matched or lacks details. */
export const matchJobOf = (
  { type, matched }: Pick<EntityRow, 'type' | 'matched'>,
  { phone, first_name }: EntityDetails,
): string | null => (type === 'individual' && matched === 0 && phone && first_name ? createJobId() : null)

/** Enqueues the job of the entity's `match_job`, if it has one. */
export async function enqueueMatch(
  scope: Scope,
  row: EntityRow,
  details: EntityDetails,
  { awaited = true, verifies = false }: MatchOptions = {},
): Promise<string | null> {
  if (row.match_job === null) return null
  return scope.deps.jobs.enqueue(scope, {
    id: row.match_job,
    kind: 'entity.match',
    payload: { entity: row.id, ...(verifies && details.dob ? { verifies: 'yes' } : {}) },
    clocked: false,
    ...(awaited ? { awaited: true as const, facts: row } : {}),
  })
}

/** Columns to write to a locked entity's row. */
interface EntityChange {
  id: string
  change: Partial<EntityRow>
}

/** Writes each entity's row once, with all its changes. */
const writeEntities: Writer<EntityChange> = async (scope, rows) => {
  for (const id of new Set(rows.map(row => row.id)))
    await scope.db
      .updateTable('entities')
      .set(Object.assign({}, ...rows.filter(row => row.id === id).map(row => row.change)))
      .where('team_id', '=', scope.team.id)
      .where('id', '=', id)
      .execute()
}

/**
 * Changes columns of a locked entity without emitting an event. A row's changes are written all at once at the end of
 * {@link batchWrites}, so nothing may read the row before then.
 */
export const writeEntityLater = (scope: Scope, id: string, change: Partial<EntityRow>): Promise<void> =>
  writeRows(scope, writeEntities, [{ id, change }])

/** The ids of an entity's latest records, by product. */
export type Latest = Readonly<Record<string, string>>

/**
 * Updates an entity's row and emits its event. The status depends on the entity's verifications. A withdrawn entity is
 * left unchanged.
 */
export async function updateEntity(scope: Scope, before: EntityRow, change: Partial<EntityRow>): Promise<EntityRow> {
  if (before.withdrawn_at !== null) return before
  const row = await scope.db
    .updateTable('entities')
    .set(columnsAfter(scope, before, change))
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (change.details) await storeNameWords(scope, row, before)
  await emitEntityUpdate(scope, before, row)
  return row
}

/**
 * Updates a locked entity as {@link updateEntity} does, but writes its row as {@link writeEntityLater} does. Use this function
 * in transactions that change the same entity several times.
 * @param latest the ids of the entity's latest records, if the transaction has read them
 * @returns the changed row, and those ids
 */
export async function updateEntityLater(
  scope: Scope,
  before: EntityRow,
  change: Omit<Partial<EntityRow>, 'details'>,
  latest?: Latest,
): Promise<{ row: EntityRow; latest?: Latest }> {
  if (before.withdrawn_at !== null) return { row: before }
  const columns = columnsAfter(scope, before, change)
  await writeEntityLater(scope, before.id, columns)
  const row = { ...before, ...columns }
  return { row, latest: await emitEntityUpdate(scope, before, row, latest) }
}

/** Returns the columns to write for a change, including the resulting status. */
function columnsAfter(scope: Scope, before: EntityRow, change: Partial<EntityRow>): Partial<EntityRow> {
  const merged = { ...before, ...change }
  const status =
    merged.type === 'individual' && merged.status === 'incomplete' && isVerified(merged) ? 'active' : merged.status
  return { ...change, status, updated_at: scope.now }
}

/**
 * Emits the events for a change to an entity.
 * @returns the ids of the entity's latest records
 */
async function emitEntityUpdate(scope: Scope, before: EntityRow, row: EntityRow, loaded?: Latest): Promise<Latest> {
  const { latest, products } = await holderChanges(scope, before, row, loaded)
  await emitAll(scope, [
    { type: 'entity.update', after: showEntity(scope, row, latest), before: showEntity(scope, before, latest) },
    ...products,
  ])
  return latest
}

/** Returns entities in their GET format, with their pointers. Runs a single query for any number of entities. */
export async function showEntities(scope: Scope, rows: readonly EntityRow[]) {
  const latest = await findLatestIds(
    scope,
    rows.map(row => row.id),
  )
  return rows.map(row => showEntity(scope, row, latest.get(row.id) ?? {}))
}

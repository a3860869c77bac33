import { type ResourceError, resourceError } from '@causeway/contract/errors'
import type { EventType } from '@causeway/contract/events'
import type { Expression } from 'kysely'
import { emit } from '../../notify/emit.js'
import { createId } from '../../platform/crypto/random.js'
import { writeJson } from '../../platform/db/json.js'
import { findRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import type { AccountRow } from '../holders/account.js'
import { isAgreed } from '../holders/consent-rules.js'
import { type Body, type Holder, type Outcome, type Product, type RecordRow, recordJson } from '../holders/product.js'
import { showAccount } from '../holders/show-account.js'
import { isVisible } from '../holders/store.js'
import { readRecord, sealText } from './sealing.js'
import { showRecordEvent } from './show-record.js'

/**
 * Points the holder to this record, unless the holder already points to a newer one. Records may be stored out of
 * order, because a record's date is the time at which its change happened.
 */
async function updateLatest(scope: Scope, holder: string, product: string, record: string): Promise<void> {
  await scope.db
    .insertInto('latest')
    .values({ team_id: scope.team.id, holder_id: holder, product, record_id: record })
    .onConflict(conflict =>
      conflict
        .columns(['team_id', 'holder_id', 'product'])
        .doUpdateSet({ record_id: record })
        .where('latest.record_id', '<', record),
    )
    .execute()
}

/** Returns the holders' latest record ids: holder → product → id. */
export async function findLatestIds(
  scope: Scope,
  holders: readonly string[],
): Promise<Map<string, Record<string, string>>> {
  const latestByHolder = new Map<string, Record<string, string>>()
  if (holders.length === 0) return latestByHolder
  const rows = await scope.db
    .selectFrom('latest')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', 'in', holders)
    .execute()
  for (const row of rows)
    latestByHolder.set(row.holder_id, { ...latestByHolder.get(row.holder_id), [row.product]: row.record_id })
  return latestByHolder
}

/** Returns the ids of the holders' latest records, and the latest records of `products`, keyed by id. */
export async function latestRecords(
  scope: Scope,
  holders: readonly string[],
  products: readonly string[],
): Promise<{ latest: Map<string, Record<string, string>>; records: Map<string, RecordRow> }> {
  if (holders.length === 0 || products.length === 0)
    return { latest: await findLatestIds(scope, holders), records: new Map() }
  const rows = await scope.db
    .selectFrom('latest')
    .leftJoin('records', on =>
      on
        .onRef('records.id', '=', 'latest.record_id')
        .onRef('records.team_id', '=', 'latest.team_id')
        .on('latest.product', 'in', [...new Set(products)]),
    )
    .select(['latest.holder_id', 'latest.product', 'latest.record_id', 'latest.team_id', 'records.status'])
    .select(['records.request', 'records.data', 'records.error', 'records.created_at', 'records.updated_at'])
    .select(['records.subscription_id', 'records.change'])
    .where('latest.team_id', '=', scope.team.id)
    .where('latest.holder_id', 'in', holders)
    .execute()
  const latest = new Map<string, Record<string, string>>()
  const records = new Map<string, RecordRow>()
  for (const { record_id, ...row } of rows) {
    latest.set(row.holder_id, { ...latest.get(row.holder_id), [row.product]: record_id })
    if (row.status !== null) records.set(record_id, { id: record_id, ...row } as RecordRow)
  }
  return { latest, records }
}

type NewRecord = Pick<RecordRow, 'id' | 'holder_id' | 'product' | 'status'> & {
  request?: unknown
  data?: unknown
  /** Used instead of `data` if the caller has already sealed the data. */
  sealedData?: string
  error?: ResourceError
  subscription?: string | null
  change?: string
  sealed?: boolean
  /** False if the holder does not point to the product's latest record. */
  pointed?: boolean
}

/** Inserts a record that was not caused by a reported change. `request` and `data` are sealed if `sealed` is set. */
export async function insertRecord(scope: Scope, row: Omit<NewRecord, 'change'>): Promise<RecordRow> {
  const inserted = await insertOnce(scope, row)
  if (!inserted) throw new Error('Could not insert the record.')
  return inserted
}

/**
 * Inserts a record as {@link insertRecord} does, unless `others` selects a row.
 * @returns undefined if it does
 */
export const insertUnless = (
  scope: Scope,
  row: Omit<NewRecord, 'change'>,
  others: Expression<{ id: string }>,
): Promise<RecordRow | undefined> => insertOnce(scope, row, others)

/**
 * Inserts a record, at most once for each change to a holder.
 * @returns undefined if that change is already stored
 */
async function insertOnce(
  scope: Scope,
  row: NewRecord,
  unless?: Expression<{ id: string }>,
): Promise<RecordRow | undefined> {
  const encode = (field: 'request' | 'data', value: unknown) => {
    const text = JSON.stringify(value)
    return row.sealed ? sealText(scope, row.id, field, text) : text
  }
  const full: RecordRow = {
    id: row.id,
    team_id: scope.team.id,
    holder_id: row.holder_id,
    product: row.product,
    status: row.status,
    request: encode('request', row.request ?? {}),
    data: row.sealedData ?? (row.data === undefined ? null : encode('data', row.data)),
    error: row.error ? writeJson(row.error) : null,
    subscription_id: row.subscription ?? null,
    change: row.change ?? null,
    created_at: scope.now,
    updated_at: scope.now,
  }
  const records = scope.db.insertInto('records')
  const columns = Object.keys(full) as (keyof RecordRow)[]
  const inserted = await (unless === undefined
    ? records.values(full)
    : records
        .columns(columns)
        .expression(
          scope.db
            .selectNoFrom(row => columns.map(column => row.val(full[column]).as(column)))
            .where(is => is.not(is.exists(unless))),
        )
  )
    .onConflict(conflict =>
      conflict.columns(['team_id', 'holder_id', 'product', 'change']).where('change', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return undefined
  if (row.pointed ?? true) await updateLatest(scope, row.holder_id, row.product, row.id)
  return full
}

/**
 * Emits an event about a holder's record, unless the holder is an account that the team can't see, or the person did not
 * agree to share the product. The flow itself requests updates, to show balances to the person.
 */
export async function emitRecord(
  scope: Scope,
  product: Product,
  holder: Holder,
  ...event: [type: EventType, after: Body, before?: Body | null]
): Promise<void> {
  // mutant: no-events-without-consent (true)
  if (isVisible(holder) && isAgreed(holder, product.name)) await emit(scope, ...event)
}

/**
 * Stores a product's outcome for a change, at most once.
 * @returns the record's id; null if the outcome was already stored
 */
export async function storeRecord(
  scope: Scope,
  product: Product,
  holder: Holder,
  input: { change: string; request: Record<string, unknown>; outcome: Outcome; subscription: string },
): Promise<string | null> {
  const { outcome, ...rest } = input
  const row = await insertOnce(scope, {
    ...rest,
    id: createId(product.prefix, scope.now),
    holder_id: holder.id,
    product: product.name,
    status: product.initialStatus,
    sealed: product.sealed ?? false,
  })
  if (!row) return null
  await emitRecord(scope, product, holder, product.events.create, showRecordEvent(scope, product, row, holder))
  await fillRecord(scope, product, holder, row, outcome)
  return row.id
}

/**
 * Creates a record for a product, and the job that fills it. `subscription` is the id of the subscription that caused
 * it, if any.
 */
export async function createRecord(
  scope: Scope,
  product: Product,
  holder: Holder,
  request: Record<string, unknown> = {},
  { awaited = false, subscription = null }: { awaited?: boolean; subscription?: string | null } = {},
): Promise<{ row: RecordRow; job: string }> {
  const row = await insertRecord(scope, {
    id: createId(product.prefix, scope.now),
    holder_id: holder.id,
    product: product.name,
    status: product.initialStatus,
    request,
    subscription,
    sealed: product.sealed ?? false,
  })
  await emitRecord(scope, product, holder, product.events.create, showRecordEvent(scope, product, row, holder))
  const job = await scope.deps.jobs.enqueue(scope, {
    kind: 'record.run',
    payload: { record: row.id },
    clocked: false,
    ...(awaited ? { awaited: true } : {}),
  })
  return { row, job }
}

/** Finds a team's record of any product by its id. */
export const findAnyRecord = (scope: Scope, id: string): Promise<RecordRow | undefined> => findRow(scope, 'records', id)

export async function findRecord(
  scope: Scope,
  product: string,
  id: string,
  holder?: string,
): Promise<RecordRow | undefined> {
  const row = await findAnyRecord(scope, id)
  return row?.product === product && (holder === undefined || row.holder_id === holder) ? row : undefined
}

/** Finds records by id, for expansion. */
export async function findRecords(scope: Scope, ids: readonly string[]): Promise<Map<string, RecordRow>> {
  if (ids.length === 0) return new Map()
  const rows = await scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * Finds a holder's latest completed record for a product or, if `before` is given, the latest one before that record.
 */
export async function completedRecord(
  scope: Scope,
  holder: string,
  product: string,
  before?: string,
): Promise<RecordRow | undefined> {
  let query = scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder)
    .where('product', '=', product)
    .where('status', '=', 'completed')
    .orderBy('id', 'desc')
    .limit(1)
  if (before !== undefined) query = query.where('id', '<', before)
  return query.executeTakeFirst()
}

/**
 * Fills a record once; filling it again changes nothing.
 * @param holder the record's holder, which the caller has locked
 * @returns the record if this call filled it
 */
export async function fillRecord(
  scope: Scope,
  product: Product,
  holder: Holder,
  row: RecordRow,
  outcome: Outcome,
): Promise<RecordRow | undefined> {
  if (outcome.status === 'pending') return undefined
  const updated = await scope.db
    .updateTable('records')
    .set({ status: outcome.status, updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', row.id)
    .where('status', 'in', ['pending', 'in_progress'])
    .returning('id')
    .executeTakeFirst()
  if (!updated) return undefined
  const data =
    outcome.status === 'completed'
      ? ((await product.complete?.(scope, holder, readRecord(scope, product, row), outcome.data)) ?? outcome.data)
      : null
  const text = data && recordJson.data.write(data)
  const after = await scope.db
    .updateTable('records')
    .set({
      data: text && product.sealed ? sealText(scope, row.id, 'data', text) : text,
      error: outcome.status === 'failed' ? writeJson(resourceError(outcome.code)) : null,
    })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const shown = showRecordEvent(scope, product, after, holder)
  if (!isVisible(holder)) return after
  await emitRecord(scope, product, holder, product.events.update, shown, showRecordEvent(scope, product, row, holder))
  if (data && product.extraEvents) {
    const before = await completedRecord(scope, row.holder_id, product.name, row.id)
    const previousData = before && readRecord(scope, product, before).data
    const shownBefore = before ? showRecordEvent(scope, product, before, holder) : null
    // An event about an account contains the account before the change and the account after it. In each, the product's
    // field contains the corresponding record.
    const accountWith = (record: Body): Body => ({
      ...showAccount(scope, holder as AccountRow, {}),
      [product.name]: record,
    })
    for (const type of product.extraEvents(
      data,
      previousData ? recordJson.data.read(previousData) : null,
      row.subscription_id !== null,
    ))
      if (type.startsWith('account.'))
        await emitRecord(scope, product, holder, type, accountWith(shown), shownBefore && accountWith(shownBefore))
      else await emitRecord(scope, product, holder, type, shown, shownBefore)
  }
  return after
}

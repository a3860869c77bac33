import { resourceError } from '@causeway/contract/errors'
import { createId } from '../crypto/random.js'
import { emit } from '../events/store.js'
import type { Scope } from '../scope.js'
import { showJson, showTime } from '../show.js'
import type { Outcome, Product, RecordRow } from './product.js'

type Holder = Parameters<Product['show']>[1]

export function showRecord(product: Product, row: RecordRow, holder: Holder): Record<string, unknown> & { id: string } {
  const body = product.show(
    {
      request: JSON.parse(row.request) as Record<string, unknown>,
      data: showJson(row.data) as Record<string, unknown> | null,
    },
    holder as never,
  )
  return {
    id: row.id,
    [`${product.holder}_id`]: row.holder_id,
    status: row.status,
    ...body,
    error: showJson(row.error),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

/** Makes the holder's pointer name this record. */
export async function point(scope: Scope, holder: string, product: string, record: string): Promise<void> {
  await scope.db
    .insertInto('latest')
    .values({ holder_id: holder, product, record_id: record })
    .onConflict(conflict => conflict.columns(['holder_id', 'product']).doUpdateSet({ record_id: record }))
    .execute()
}

/** The latest record ids of holders: holder → product → id. */
export async function pointers(scope: Scope, holders: readonly string[]): Promise<Map<string, Record<string, string>>> {
  const out = new Map<string, Record<string, string>>()
  if (holders.length === 0) return out
  const rows = await scope.db.selectFrom('latest').selectAll().where('holder_id', 'in', holders).execute()
  for (const row of rows) out.set(row.holder_id, { ...out.get(row.holder_id), [row.product]: row.record_id })
  return out
}

/** The same, and the records of `products` themselves, by id. */
export async function latestRecords(
  scope: Scope,
  holders: readonly string[],
  products: readonly string[],
): Promise<{ latest: Map<string, Record<string, string>>; records: Map<string, RecordRow> }> {
  if (holders.length === 0 || products.length === 0)
    return { latest: await pointers(scope, holders), records: new Map() }
  const rows = await scope.db
    .selectFrom('latest')
    .leftJoin('records', on =>
      on
        .onRef('records.id', '=', 'latest.record_id')
        .on('records.team_id', '=', scope.team.id)
        .on('latest.product', 'in', [...new Set(products)]),
    )
    .select(['latest.holder_id', 'latest.product', 'latest.record_id', 'records.team_id', 'records.status'])
    .select(['records.request', 'records.data', 'records.error', 'records.created_at', 'records.updated_at'])
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

/** A bare record, before anybody was asked. */
export async function insertRecord(
  scope: Scope,
  row: Pick<RecordRow, 'id' | 'holder_id' | 'product' | 'status'> & {
    request?: unknown
    data?: unknown
    error?: unknown
  },
): Promise<RecordRow> {
  const full: RecordRow = {
    id: row.id,
    team_id: scope.team.id,
    holder_id: row.holder_id,
    product: row.product,
    status: row.status,
    request: JSON.stringify(row.request ?? {}),
    data: row.data === undefined ? null : JSON.stringify(row.data),
    error: row.error === undefined ? null : JSON.stringify(row.error),
    created_at: scope.now,
    updated_at: scope.now,
  }
  await scope.db.insertInto('records').values(full).execute()
  await point(scope, row.holder_id, row.product, row.id)
  return full
}

/** Makes a record of a product and the job that fills it. */
export async function createRecord(
  scope: Scope,
  product: Product,
  holder: Holder,
  request: Record<string, unknown> = {},
  awaited = false,
): Promise<{ row: RecordRow; job: string }> {
  const row = await insertRecord(scope, {
    id: createId(product.prefix, scope.now),
    holder_id: holder.id,
    product: product.name,
    status: product.first,
    request,
  })
  await emit(scope, product.events.create, showRecord(product, row, holder))
  const job = await scope.deps.jobs.enqueue(scope, {
    kind: 'record.run',
    payload: { record: row.id },
    clocked: false,
    ...(awaited ? { awaited: true } : {}),
  })
  return { row, job }
}

export async function findRecord(
  scope: Scope,
  product: string,
  id: string,
  holder?: string,
): Promise<RecordRow | undefined> {
  let query = scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('product', '=', product)
    .where('id', '=', id)
  if (holder !== undefined) query = query.where('holder_id', '=', holder)
  return query.executeTakeFirst()
}

/** Records by id, for expansion. */
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

/** Fills a record, once: a second filling of the same record changes nothing. */
export async function settleRecord(
  scope: Scope,
  product: Product,
  holder: Holder,
  row: RecordRow,
  outcome: Outcome,
): Promise<void> {
  const claimed = await scope.db
    .updateTable('records')
    .set({ status: outcome.status, updated_at: scope.now })
    .where('id', '=', row.id)
    .where('status', 'in', ['pending', 'in_progress'])
    .returning('id')
    .executeTakeFirst()
  if (!claimed) return
  const data =
    outcome.status === 'completed'
      ? ((await product.settle?.(scope, holder as never, row, outcome.data)) ?? outcome.data)
      : null
  const error = outcome.status === 'failed' ? JSON.stringify(resourceError(outcome.code)) : null
  const after = await scope.db
    .updateTable('records')
    .set({ data: data && JSON.stringify(data), error })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit(scope, product.events.update, showRecord(product, after, holder), showRecord(product, row, holder))
}

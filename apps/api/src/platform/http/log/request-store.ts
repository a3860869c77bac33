import { type InsertQueryBuilder, type InsertResult, type Kysely, sql } from 'kysely'
import { compiled } from '../../db/compiled-query.js'
import { readJson } from '../../db/json.js'
import type { Tables } from '../../db/tables.js'
import type { Db, Store } from '../../db/types.js'

export type RequestRow = Omit<Tables['requests'], 'request' | 'response'>
export type RequestCount = Tables['request_counts']

/** The rows to insert for a batch of requests. */
interface Batch {
  readonly requests: readonly RequestRow[]
  readonly bodies: readonly Tables['request_bodies'][]
  readonly counts: readonly RequestCount[]
}

const REQUEST = [
  'team_id',
  'id',
  'method',
  'route',
  'status',
  'sub_type',
  'ms',
  'version',
  'actor',
  'source',
  'idempotency',
  'resource_ids',
  'bodies_id',
  'created_at',
] as const
const REF = ['team_id', 'about', 'request_id', 'sub_type', 'created_at'] as const
const BODIES = ['team_id', 'id', 'sealed', 'created_at'] as const
const COUNT = ['team_id', 'hour', 'status', 'sub_type', 'ms', 'count'] as const

/** Inserts counts, or adds them to the counts from earlier batches. */
const counting = (insert: InsertQueryBuilder<Tables, 'request_counts', InsertResult>) =>
  insert.onConflict(known =>
    known
      .columns(['team_id', 'hour', 'status', 'sub_type', 'ms'])
      .doUpdateSet(set => ({ count: set('request_counts.count', '+', set.ref('excluded.count')) })),
  )

/** Selects a table's rows from JSON text that contains a list of objects. */
const rowsIn = (table: string, columns: readonly string[], text: string) =>
  sql`select ${sql.join(columns.map(name => sql.ref(name)))}
    from json_populate_recordset(null::${sql.table(table)}, ${text}::json)`

/**
 * Inserts a batch on PostgreSQL with one statement, to save round trips. The commit doesn't wait for the disk, so a
 * server crash may lose the last batches.
 */
const insertAll = compiled((db, { requests, bodies, counts }: Record<keyof Batch, string>) =>
  db
    .with('added', () =>
      db
        .insertInto('requests')
        .columns(REQUEST)
        .expression(rowsIn('requests', REQUEST, requests))
        .returning(['team_id', 'id', 'sub_type', 'resource_ids', 'created_at']),
    )
    .with('added_refs', () =>
      db
        .insertInto('request_refs')
        .columns(REF)
        .expression(
          sql`select team_id, about, id, sub_type, created_at
            from added, json_array_elements_text(resource_ids::json) as about`,
        ),
    )
    .with('added_bodies', () =>
      db
        .insertInto('request_bodies')
        .columns(BODIES)
        .expression(rowsIn('request_bodies', BODIES, bodies)),
    )
    .with('added_counts', () =>
      counting(
        db
          .insertInto('request_counts')
          .columns(COUNT)
          .expression(rowsIn('request_counts', COUNT, counts)),
      ),
    )
    .selectNoFrom(sql`set_config('synchronous_commit', 'off', true)`.as('synchronous_commit')),
)

/** The number of rows per statement on SQLite. */
const ROWS = 10

/** Returns a function that inserts rows on SQLite, several with each statement, which is faster than one at a time. */
function inserting<Name extends keyof Tables, Column extends keyof Tables[Name]>(
  table: Name,
  columns: readonly Column[],
) {
  type Row = { readonly [Each in Column]: Tables[Name][Each] }
  type Lists = { readonly [Each in Column]: Row[Each][] }
  const statement = compiled((db, lists: Lists) => {
    const rows = lists[columns[0]!].map((_, index) =>
      Object.fromEntries(columns.map(name => [name, lists[name][index]])),
    )
    return (db as Kysely<Record<string, object>>).insertInto(table).values(rows)
  })
  return async (tx: Db, rows: readonly Row[]): Promise<void> => {
    for (let from = 0; from < rows.length; from += ROWS) {
      const some = rows.slice(from, from + ROWS)
      await statement.all(tx, Object.fromEntries(columns.map(name => [name, some.map(row => row[name])])) as Lists)
    }
  }
}

const insertRequests = inserting('requests', REQUEST)
const insertRefs = inserting('request_refs', REF)
const insertBodies = compiled((db, row: Tables['request_bodies']) => db.insertInto('request_bodies').values(row))
const insertCount = compiled((db, row: RequestCount) => counting(db.insertInto('request_counts').values(row)))

const refsOf = ({ team_id, id, sub_type, created_at, resource_ids }: RequestRow): Tables['request_refs'][] =>
  readJson('requests.resource_ids', resource_ids).map(about => ({
    team_id,
    about,
    request_id: id,
    sub_type,
    created_at,
  }))

async function insertEach(tx: Db, { requests, bodies, counts }: Batch): Promise<void> {
  await insertRequests(tx, requests)
  await insertRefs(tx, requests.flatMap(refsOf))
  for (const row of bodies) await insertBodies.all(tx, row)
  for (const row of counts) await insertCount.all(tx, row)
}

/** Stores the batches of the request log. */
export const createRequestStore = (store: Store) => ({
  async insert(batch: Batch): Promise<void> {
    if (store.engine === 'sqlite') return store.write(tx => insertEach(tx, batch))
    const texts = {
      requests: JSON.stringify(batch.requests),
      bodies: JSON.stringify(batch.bodies),
      counts: JSON.stringify(batch.counts),
    }
    await store.write(tx => insertAll.all(tx, texts))
  },

  /** Returns the ids of the given requests that are already stored. */
  async known(requests: readonly Pick<RequestRow, 'team_id' | 'id'>[]): Promise<ReadonlySet<string>> {
    const teams = [...new Set(requests.map(each => each.team_id))]
    const ids = requests.map(({ id }) => id)
    const rows = await store.reader
      .selectFrom('requests')
      .select('id')
      .where('team_id', 'in', teams)
      .where('id', 'in', ids)
      .execute()
    return new Set(rows.map(({ id }) => id))
  },
})

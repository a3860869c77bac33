import { setImmediate as turn } from 'node:timers/promises'
import { DAY_MS } from '@causeway/contract/time'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.js'
import { partsOf } from '../../platform/http/endpoint/paging.js'
import { findRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import type { RequestRow } from './show.js'
import type { RequestGroup } from './stats.js'

export const findRequest = (scope: Scope, id: string): Promise<RequestRow | undefined> => findRow(scope, 'requests', id)

/**
 * Returns sealed bodies that were stored together, or undefined if they have been deleted. Bodies are deleted before
 * their requests.
 */
export const findBodies = async (scope: Scope, id: string): Promise<string | undefined> =>
  (
    await scope.db
      .selectFrom('request_bodies')
      .select('sealed')
      .where('team_id', '=', scope.team.id)
      .where('id', '=', id)
      .executeTakeFirst()
  )?.sealed

/**
 * Counts the requests from one hour (inclusive) to another (exclusive). Reads the stored counts, never the log itself.
 * @param size the length of a bucket, in ms
 */
export async function countRequests(
  { db, team }: Scope,
  from: number,
  to: number,
  size: number,
): Promise<RequestGroup[]> {
  const groups: RequestGroup[] = []
  for (const [start, end] of partsOf(from, to, DAY_MS)) {
    const rows = await db
      .selectFrom('request_counts')
      .select([
        sql<number>`hour / ${sql.lit(size)}`.as('bucket'),
        'status',
        'sub_type',
        'ms',
        query => query.fn.sum<number>('count').as('count'),
      ])
      .where('team_id', '=', team.id)
      .where('hour', '>=', start)
      .where('hour', '<', end)
      .groupBy([sql`1`, 'status', 'sub_type', 'ms'])
      .execute()
    for (const { bucket, count, sub_type, ...row } of rows)
      groups.push({ ...row, sub_type: sub_type || null, bucket: Number(bucket), count: Number(count) })
    await turn()
  }
  return groups
}

/**
 * Returns a subquery for the logged requests whose path, body or response contains a resource's id. Uses the index on
 * references.
 */
export function selectRequestsAbout(
  { db, team }: Scope,
  about: string,
  isFailed: boolean,
  subTypes: readonly string[],
) {
  const matches = db
    // A cross join makes SQLite read the references first and in order, so that the query can stop at the end of a
    // page.
    .selectFrom('request_refs')
    .crossJoin('requests')
    // Selects the id from the references table, so that SQLite recognizes that the rows are already sorted.
    .select([
      'request_refs.request_id as id',
      'requests.team_id',
      'method',
      'route',
      'status',
      'requests.sub_type',
      'ms',
      'version',
      'actor',
      'source',
      'idempotency',
      'resource_ids',
      'bodies_id',
      'request',
      'response',
      'requests.created_at',
    ])
    .where('request_refs.team_id', '=', team.id)
    .where('request_refs.about', '=', about)
    .whereRef('requests.team_id', '=', 'request_refs.team_id')
    .whereRef('requests.id', '=', 'request_refs.request_id')
    .$if(isFailed, query => query.where('request_refs.sub_type', 'is not', null))
    .$if(subTypes.length > 0, query => query.where('request_refs.sub_type', 'in', subTypes))
  return db.selectFrom(matches.as('requests')) as SelectQueryBuilder<Tables, 'requests', object>
}

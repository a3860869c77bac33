import { sql } from 'kysely'
import { lowestId } from '../../platform/crypto/random.js'
import type { Scope } from '../../platform/scope.js'
import type { RequestRow } from './show.js'
import type { Group } from './stats.js'

export const findRequest = (scope: Scope, id: string): Promise<RequestRow | undefined> =>
  scope.db
    .selectFrom('requests')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('id', '=', id)
    .executeTakeFirst()

/** Counts the requests from one time up to before another. @param size of a bucket, ms */
export async function countRequests(scope: Scope, from: number, to: number, size: number): Promise<Group[]> {
  const rows = await scope.db
    .selectFrom('requests')
    .select([
      sql<number>`created_at / ${sql.lit(size)}`.as('bucket'),
      'status',
      'sub_type',
      'ms',
      query => query.fn.countAll<number>().as('count'),
    ])
    .where('team_id', '=', scope.team.id)
    .where('id', '>=', lowestId('request', from))
    .where('id', '<', lowestId('request', to))
    .groupBy([sql`1`, 'status', 'sub_type', 'ms'])
    .execute()
  return rows.map(row => ({ ...row, bucket: Number(row.bucket), count: Number(row.count) }))
}

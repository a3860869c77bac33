import { sql } from 'kysely'
import { percentile } from '../../platform/percentile.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { WebhookRow } from './show.js'

interface Bucket {
  delivered: number
  failed: number
  canceled: number
  times: Map<number, number>
}

const inHours = (column: 'finished_at' | 'attempted_at', size: number) =>
  sql<number>`${sql.ref(column)} / ${sql.lit(size)}`.as('bucket')

/** Counts the outcomes of a webhook's deliveries from one time up to before another, team time. @param size of a bucket, ms */
export async function countDeliveries({ db, team }: Scope, { id }: WebhookRow, from: number, to: number, size: number) {
  const [ended, attempts] = await Promise.all([
    db
      .selectFrom('deliveries')
      .select([inHours('finished_at', size), 'status', query => query.fn.countAll<number>().as('count')])
      .where('team_id', '=', team.id)
      .where('webhook_id', '=', id)
      .where('finished_at', '>=', from)
      .where('finished_at', '<', to)
      .groupBy([sql`1`, 'status'])
      .execute(),
    db
      .selectFrom('delivery_attempts')
      .select([inHours('attempted_at', size), 'ms', query => query.fn.countAll<number>().as('count')])
      .where('team_id', '=', team.id)
      .where('webhook_id', '=', id)
      .where('attempted_at', '>=', from)
      .where('attempted_at', '<', to)
      .groupBy([sql`1`, 'ms'])
      .execute(),
  ])
  const buckets = new Map<number, Bucket>()
  const of = (bucket: number): Bucket => {
    const known = buckets.get(bucket) ?? { delivered: 0, failed: 0, canceled: 0, times: new Map<number, number>() }
    buckets.set(bucket, known)
    return known
  }
  for (const { bucket, status, count } of ended) if (status !== 'pending') of(Number(bucket))[status] += Number(count)
  for (const { bucket, ms, count } of attempts) of(Number(bucket)).times.set(ms, Number(count))
  return [...buckets]
    .sort(([one], [other]) => one - other)
    .map(([bucket, { times, ...counts }]) => ({
      at: showTime(bucket * size),
      ...counts,
      p50_ms: times.size > 0 ? percentile(times, 0.5) : null,
      p95_ms: times.size > 0 ? percentile(times, 0.95) : null,
    }))
}

import { setImmediate as turn } from 'node:timers/promises'
import { partsOf } from '../../platform/http/endpoint/paging.js'
import { percentile } from '../../platform/percentile.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { WebhookRow } from './show.js'

const HOUR = 3_600_000

interface Bucket {
  delivered: number
  failed: number
  canceled: number
  times: Map<number, number>
}

/**
 * Counts a webhook's delivery outcomes from one point in team time (inclusive) to another (exclusive).
 * @param size the length of a bucket, in ms
 * @returns the outcomes by bucket, as they occurred, and the number of finished deliveries by current status
 */
export async function countDeliveries({ db, team }: Scope, { id }: WebhookRow, from: number, to: number, size: number) {
  const buckets = new Map<number, Bucket>()
  const outcomes = { delivered: 0, failed: 0, canceled: 0 }
  const of = (bucket: number): Bucket => {
    const known = buckets.get(bucket) ?? { delivered: 0, failed: 0, canceled: 0, times: new Map<number, number>() }
    buckets.set(bucket, known)
    return known
  }
  // Sending a delivery again does not change its past attempts. Runs two statements for each hour of the period, so
  // that other work can run between them.
  for (const [start, end] of partsOf(from, to, HOUR)) {
    // Does not filter by status, because a status filter could make the database engine read every canceled delivery.
    const ended = await db
      .selectFrom('deliveries')
      .select(['status', query => query.fn.countAll<number>().as('count')])
      .where('team_id', '=', team.id)
      .where('webhook_id', '=', id)
      .where('finished_at', '>=', start)
      .where('finished_at', '<', end)
      .groupBy('status')
      .execute()
    const attempts = await db
      .selectFrom('delivery_attempts')
      .select(['ms', 'outcome', query => query.fn.countAll<number>().as('count')])
      .where('team_id', '=', team.id)
      .where('webhook_id', '=', id)
      .where('attempted_at', '>=', start)
      .where('attempted_at', '<', end)
      .groupBy(['ms', 'outcome'])
      .execute()
    const bucket = Math.floor(start / size)
    for (const { status, count } of ended) {
      if (status === 'canceled') of(bucket).canceled += Number(count)
      // A delivery that was queued again is not finished until its new attempts end.
      if (status !== 'pending') outcomes[status] += Number(count)
    }
    for (const { ms, outcome, count } of attempts) {
      const { times } = of(bucket)
      if (outcome !== null) of(bucket)[outcome] += Number(count)
      times.set(ms, (times.get(ms) ?? 0) + Number(count))
    }
    await turn()
  }
  const shown = [...buckets]
    .sort(([one], [other]) => one - other)
    .map(([bucket, { times, ...counts }]) => ({
      at: showTime(bucket * size),
      ...counts,
      p50_ms: times.size > 0 ? percentile(times, 0.5) : null,
      p95_ms: times.size > 0 ? percentile(times, 0.95) : null,
    }))
  return { outcomes, buckets: shown }
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { HOUR_MS } from '@causeway/contract/time'
import { partsOf } from '../../platform/http/endpoint/paging.js'
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

/**
 * Counts a webhook's delivery outcomes from one point in team time (inclusive) to another (exclusive).
 * @param size the length of a bucket, in ms
 * @returns the outcomes by bucket, as they occurred, and the number of finished deliveries by current status
 */
export async function countDeliveries({ db, team }: Scope, { id }: WebhookRow, from: number, to: number, size: number) {
  const buckets = new Map<number, Bucket>()
  const outcomes = { delivered: 0, failed: 0, canceled: 0 }
  const bucketAt = (bucket: number): Bucket => {
    const counts = buckets.get(bucket) ?? { delivered: 0, failed: 0, canceled: 0, times: new Map<number, number>() }
    buckets.set(bucket, counts)
    return counts
  }
  // Sending a delivery again does not change its past attempts. Runs two statements for each hour of the period, so
  // that other work can run between them.
  for (const [start, end] of partsOf(from, to, HOUR_MS)) {
    // Does not filter by status, because a status filter could make the database engine read every canceled delivery.
    const finished = await db
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
    for (const { status, count } of finished) {
      if (status === 'canceled') bucketAt(bucket).canceled += Number(count)
      // A delivery that was queued again is not finished until its new attempts end.
      if (status !== 'pending') outcomes[status] += Number(count)
    }
    for (const { ms, outcome, count } of attempts) {
      const { times } = bucketAt(bucket)
      if (outcome !== null) bucketAt(bucket)[outcome] += Number(count)
      times.set(ms, (times.get(ms) ?? 0) + Number(count))
    }
    await yieldToEventLoop()
  }
  const results = [...buckets]
    .sort(([one], [other]) => one - other)
    .map(([bucket, { times, ...counts }]) => ({
      at: showTime(bucket * size),
      ...counts,
      p50_ms: times.size > 0 ? percentile(times, 0.5) : null,
      p95_ms: times.size > 0 ? percentile(times, 0.95) : null,
    }))
  return { outcomes, buckets: results }
}

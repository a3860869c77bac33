/** Computes request statistics. Pure. */
import { percentile } from '../../platform/percentile.js'

const MAX_TOP_ERRORS = 10

/** The requests in one hour or day that have the same status, error and duration. */
export interface RequestGroup {
  /** The number of hours or days since the start of 1970. */
  bucket: number
  status: number
  sub_type: string | null
  ms: number
  count: number
}

const statusClass = (status: number) => `${Math.floor(status / 100)}xx`

/**
 * Returns the buckets that contain requests, oldest first, and the most frequent errors.
 * @param size the length of a bucket, in ms
 */
export function summarize(groups: readonly RequestGroup[], size: number) {
  const buckets = new Map<number, { count: number; byStatus: Record<string, number>; times: Map<number, number> }>()
  const errors = new Map<string, number>()
  for (const { bucket, status, sub_type, ms, count } of groups) {
    let totals = buckets.get(bucket)
    if (!totals) {
      totals = { count: 0, byStatus: { '2xx': 0, '4xx': 0, '5xx': 0 }, times: new Map() }
      buckets.set(bucket, totals)
    }
    totals.count += count
    totals.byStatus[statusClass(status)] = (totals.byStatus[statusClass(status)] ?? 0) + count
    totals.times.set(ms, (totals.times.get(ms) ?? 0) + count)
    if (sub_type !== null) errors.set(sub_type, (errors.get(sub_type) ?? 0) + count)
  }
  return {
    buckets: [...buckets]
      .sort(([one], [other]) => one - other)
      .map(([bucket, { count, byStatus, times }]) => ({
        at: bucket * size,
        count,
        by_status: byStatus,
        p50_ms: percentile(times, 0.5),
        p95_ms: percentile(times, 0.95),
      })),
    top_errors: [...errors]
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
      .slice(0, MAX_TOP_ERRORS)
      .map(([sub_type, count]) => ({ sub_type, count })),
  }
}

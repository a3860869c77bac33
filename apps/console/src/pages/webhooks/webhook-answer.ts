/** Builds the summary for a webhook's page, and calculates the numbers on its tiles. Pure functions. */
import type { Delivery, Webhook, WebhookStats } from '@causeway/sdk'
import type { Console } from '../../page.js'
import type { Answer } from '../../parts/answer.js'
import { HOUR_MS } from '../../time.js'
import { wordOf, words } from '../../words.js'

const { say } = words.webhook

/** Returns the median of the hourly p50 response times, and the highest hourly p95. */
export function responseTimesOf({ buckets }: WebhookStats): { p50: number | null; p95: number | null } {
  const times = (name: 'p50_ms' | 'p95_ms') => buckets.flatMap(each => each[name] ?? []).sort((a, b) => a - b)
  const p50 = times('p50_ms')
  return {
    p50: p50[Math.floor(p50.length / 2)] ?? null,
    p95: times('p95_ms').at(-1) ?? null,
  }
}

/** Returns the chart's totals. A resent delivery counts once for each hour in which it had an outcome. */
export function totalsOf({ buckets }: WebhookStats): WebhookStats['outcomes'] {
  const sum = (name: keyof WebhookStats['outcomes']) => buckets.reduce((total, each) => total + each[name], 0)
  return { delivered: sum('delivered'), failed: sum('failed'), canceled: sum('canceled') }
}

/** Returns delivery counts for each of the last 24 hours, oldest first. The service omits hours without deliveries. */
export function outcomesByHour(
  { buckets }: WebhookStats,
  now: number,
): { at: string; delivered: number; failed: number; canceled: number }[] {
  const last = Math.floor(now / HOUR_MS)
  const known = new Map(buckets.map(each => [Math.floor(Date.parse(each.at) / HOUR_MS), each]))
  return Array.from({ length: 24 }, (_, index) => {
    const hour = last - 23 + index
    const { delivered = 0, failed = 0, canceled = 0 } = known.get(hour) ?? {}
    return { at: new Date(hour * HOUR_MS).toISOString(), delivered, failed, canceled }
  })
}

/** Returns the time of the first event that couldn't be delivered, which is shortly before the first failed attempt. */
export const resendFrom = (stats: WebhookStats | null): string | null =>
  stats?.failing_since ? new Date(Date.parse(stats.failing_since) - HOUR_MS).toISOString() : null

/** Returns the ids of the resource and the event from a delivery's body. */
export function readSubject(body: string): { resource: string | null; event: string | null } {
  try {
    const { id, event } = JSON.parse(body) as { id?: unknown; event?: string | { id?: unknown } }
    const eventId = typeof event === 'object' ? event.id : event
    return { resource: typeof id === 'string' ? id : null, event: typeof eventId === 'string' ? eventId : null }
  } catch {
    return { resource: null, event: null }
  }
}

/** @param rejected a delivery that failed; undefined if none is known */
function titleOf(rejected: Delivery | undefined, since: string): string {
  if (!rejected) return say.notAccepting(since)
  const { response_status, failure } = rejected
  return response_status === null
    ? say.unreachable(wordOf(words.webhook.failure, failure ?? 'connection'), since)
    : say.failing(String(response_status), since)
}

/** Returns a summary of the webhook's problem, or null if it has none. */
export function answerOf(
  { format }: Pick<Console, 'format'>,
  { status, error }: Webhook,
  stats: WebhookStats | null,
  deliveries: readonly Delivery[],
): Answer | null {
  const why: Answer['points'][number] = [words.answer.why, error?.message ?? '', error?.sub_type ?? '']
  if (status === 'disabled')
    return {
      tone: 'bad',
      title: say.disabled,
      points: stats?.next_probe_at
        ? [why, [words.answer.means, say.nextProbe(format.text(stats.next_probe_at, 'moment'))]]
        : [why],
    }
  const rejected = deliveries.find(
    ({ status, attempts }) => status === 'failed' || (status === 'pending' && attempts > 0),
  )
  if (!stats?.failing_since || !stats.switch_off_at)
    return status === 'requires_attention'
      ? {
          tone: 'warn',
          title: say.attention,
          points: [why],
        }
      : null
  const time = format.text(stats.failing_since, 'moment')
  return {
    tone: 'bad',
    title: titleOf(rejected, time),
    points: [[words.answer.means, say.switchOff(format.text(stats.switch_off_at, 'moment'))]],
  }
}

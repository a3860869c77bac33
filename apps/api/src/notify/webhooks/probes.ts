/** When the service tries the endpoint of a webhook that it disabled. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import type { Scope } from '../../platform/scope.js'
import type { WebhookRow } from './show.js'

/** The time after which the service stops trying, in ms. */
const PROBE_PERIOD_MS = 30 * DAY_MS
const FIRST_PROBE_MS = { sandbox: MINUTE_MS, production: HOUR_MS }

/**
 * Returns the team time of the next attempt, or null if there is none. The time between attempts doubles up to a day.
 * Pure.
 * @param since the team time at which the webhook was disabled
 */
export function nextProbeAt(environment: 'sandbox' | 'production', since: number, now: number): number | null {
  if (now - since >= PROBE_PERIOD_MS) return null
  return now + Math.min(DAY_MS, Math.max(FIRST_PROBE_MS[environment], now - since))
}

/** Names a webhook's attempts since one failure, so that a later failure starts attempts of its own. */
const keyOf = ({ id, failing_since }: WebhookRow) => `probe ${id} ${failing_since}`

/** Returns true if the service disabled a webhook because of the failure that began at a given time. */
export const isProbed = ({ status, failing_since }: WebhookRow, failingSince: string): boolean =>
  status === 'disabled' && String(failing_since) === failingSince

/** Queues the first attempt for a webhook that the service has just disabled. */
export async function scheduleProbe(scope: Scope, webhook: WebhookRow): Promise<void> {
  const { deps, now } = scope
  await deps.jobs.enqueue(scope, {
    kind: 'webhook.probe',
    payload: { webhook: webhook.id, failing_since: String(webhook.failing_since), since: String(now) },
    at: nextProbeAt(deps.environment, now, now) ?? now,
    unique: keyOf(webhook),
  })
}

/** Returns the team time of the next attempt for a disabled webhook, or null if there is none. */
export async function findNextProbe({ db, team }: Scope, webhook: WebhookRow): Promise<number | null> {
  if (webhook.status !== 'disabled' || webhook.failing_since === null) return null
  const job = await db
    .selectFrom('jobs')
    .select('run_at')
    .where('team_id', '=', team.id)
    .where('unique_key', '=', keyOf(webhook))
    .where('state', '=', 'ready')
    .executeTakeFirst()
  return job ? job.run_at + team.clockOffset : null
}

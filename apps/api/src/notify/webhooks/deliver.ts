import { lockRows } from '../../platform/db/row-locks.js'
import type { JobHandler, NextRun } from '../../platform/jobs/job.js'
import { recordLaneOutcome } from '../../platform/jobs/lanes.js'
import type { Scope } from '../../platform/scope.js'
import { type DeliveryContext, findDelivery, insertAttempt } from './deliveries.js'
import { bodyOf, sealedExcerpt } from './request.js'
import { type SentRequest, sendRequest } from './send.js'
import { versionOf } from './show.js'
import { hasFailures, recordFailure, recordSuccess } from './status.js'
import { faultOf, INTERNAL_FAULT, isDelivered, isEnabled, isGoneResponse, pauseFor, retryDelays } from './webhook.js'

/** A completed delivery attempt. */
export interface DeliveryAttempt extends SentRequest {
  version: string
  /** The duration, in ms. */
  ms: number
}

/** Sends a delivery once and returns its outcome. */
export async function sendDelivery(scope: Scope, context: DeliveryContext): Promise<DeliveryAttempt> {
  const { webhook, delivery } = context
  const version = versionOf(scope, webhook)
  const { body } = await bodyOf(scope, context, version)
  const startedAt = performance.now()
  const sent = await sendRequest(scope, webhook, { id: delivery.id, body })
  const result = isDelivered(sent.outcome) ? 'delivered' : 'status' in sent.outcome ? 'refused' : 'unreachable'
  const ms = performance.now() - startedAt
  scope.deps.metrics.delivery(result, ms)
  return { ...sent, version, ms }
}

/** Ends a job that has nothing to send, unless its delivery has since been queued again. */
const skipDelivery = (id: string) => async (tx: Scope) => {
  const query = tx.db.selectFrom('deliveries').select('id').where('team_id', '=', tx.team.id).where('id', '=', id)
  await lockRows(tx.db, query).executeTakeFirst()
  const context = await findDelivery(tx, id)
  if (context?.delivery.status !== 'pending') return undefined
  if (isEnabled(context.webhook.status)) return { again: tx.now }
  await tx.db
    .updateTable('deliveries')
    .set({ status: 'canceled', next_at: null, finished_at: tx.now, updated_at: tx.now })
    .where('team_id', '=', tx.team.id)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute()
  return undefined
}

/** Saves an attempt's outcome. @returns the time of the next attempt, if any */
export async function saveAttempt(
  tx: Scope,
  { delivery, webhook, lane }: DeliveryContext,
  attempt: DeliveryAttempt,
): Promise<NextRun | undefined> {
  const { outcome } = attempt
  const { now, deps, team } = tx
  const ok = isDelivered(outcome)
  const pause = pauseFor(outcome, lane.failures)
  if (!ok || lane.failures > 0) await recordLaneOutcome(tx, webhook.lane, ok, pause && deps.clock() + pause)
  const delays = retryDelays(deps.environment, team.settings.webhook_schedule)
  // An attempt that may change the webhook must lock the webhook before it locks the delivery.
  if (!ok || hasFailures(webhook)) {
    const query = tx.db.selectFrom('webhooks').select('id').where('team_id', '=', team.id).where('id', '=', webhook.id)
    await lockRows(tx.db, query).execute()
  }
  // A delivery that was canceled during a successful attempt counts as delivered.
  const row = await tx.db
    .updateTable('deliveries')
    .set(set => ({
      attempts: set('attempts', '+', 1),
      response_status: 'status' in outcome ? outcome.status : null,
      fault: faultOf(outcome),
      attempted_at: now,
      updated_at: now,
      ...(ok ? { status: 'delivered' as const, next_at: null, finished_at: now } : {}),
    }))
    .where('team_id', '=', team.id)
    .where('id', '=', delivery.id)
    .where('status', 'in', ok ? ['pending', 'canceled', 'failed'] : ['pending'])
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  const delay = delays[row.attempts - 1]
  const isLast = delay === undefined || isGoneResponse(outcome)
  await insertAttempt(tx, row, {
    ms: Math.round(attempt.ms),
    outcome: ok ? 'delivered' : isLast ? 'failed' : null,
    sent_at: attempt.sentAt,
    version: attempt.version,
    excerpt: sealedExcerpt(tx, delivery.id, attempt.excerpt),
  })
  if (ok) {
    await recordSuccess(tx, webhook)
    return undefined
  }
  if (!isLast) {
    const again = now + Math.max(delay, 'retryAfter' in outcome ? (outcome.retryAfter ?? 0) : 0)
    await tx.db
      .updateTable('deliveries')
      .set({ next_at: again })
      .where('team_id', '=', team.id)
      .where('id', '=', row.id)
      .execute()
    const isDisabled = await recordFailure(tx, webhook.id, outcome, { attempts: row.attempts, isLast })
    return isDisabled ? undefined : { again }
  }
  await tx.db
    .updateTable('deliveries')
    .set({ status: 'failed', next_at: null, finished_at: now })
    .where('team_id', '=', team.id)
    .where('id', '=', row.id)
    .execute()
  await recordFailure(tx, webhook.id, outcome, { attempts: row.attempts, isLast })
  return undefined
}

/** Makes one delivery attempt. The schedule determines whether the job runs again. */
export const deliver: JobHandler = {
  async run(scope, payload) {
    const id = payload['delivery'] ?? ''
    const context = await findDelivery(scope, id)
    if (context?.delivery.status !== 'pending' || !isEnabled(context.webhook.status)) return skipDelivery(id)
    const attempt = await sendDelivery(scope, context)
    return tx => saveAttempt(tx, context, attempt)
  },
  /** Fails the delivery. The endpoint isn't the cause, so its webhook's status doesn't change. */
  async exhausted({ db, team, now }, payload) {
    await db
      .updateTable('deliveries')
      .set({
        status: 'failed',
        response_status: null,
        fault: INTERNAL_FAULT,
        next_at: null,
        finished_at: now,
        updated_at: now,
      })
      .where('team_id', '=', team.id)
      .where('id', '=', payload['delivery'] ?? '')
      .where('status', '=', 'pending')
      .execute()
    return undefined
  },
}

import { lockRows } from '../../platform/db/row-locks.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { recordLaneOutcome } from '../../platform/jobs/lanes.js'
import { OutboundError } from '../../platform/outbound/outbound.js'
import { type Scope, sealer } from '../../platform/scope.js'
import { type DeliveryContext, findDelivery, insertAttempt } from './deliveries.js'
import { bodyOf, excerptOf, sealedExcerpt } from './request.js'
import { versionOf } from './show.js'
import { signatureHeaders } from './sign.js'
import { hasFailures, recordFailure, recordSuccess } from './status.js'
import {
  DELIVERY_TIMEOUT_MS,
  faultOf,
  INTERNAL_FAULT,
  isDelivered,
  isEnabled,
  isGoneResponse,
  MAX_RESPONSE_BYTES,
  type Outcome,
  pauseFor,
  readRetryAfter,
  retryDelays,
} from './webhook.js'

/** A completed delivery attempt. */
interface DeliveryAttempt {
  outcome: Outcome
  /** The real time at which the request was signed. */
  sentAt: number
  version: string
  /** The beginning of the response, if the webhook stores responses. */
  excerpt: string | null
}

/** Sends a delivery once and returns its outcome. */
async function sendDelivery(scope: Scope, context: DeliveryContext): Promise<DeliveryAttempt> {
  const { webhook, delivery } = context
  const { open } = sealer(scope)
  const at = scope.deps.clock()
  const openSecret = (field: 'hmac_secret' | 'previous_secret' | 'auth_token') => {
    const sealed = webhook[field]
    return sealed === null ? null : open({ id: webhook.id, field }, sealed)
  }
  const previous = webhook.previous_until !== null && webhook.previous_until > at ? openSecret('previous_secret') : null
  const secrets = [openSecret('hmac_secret'), previous].filter(secret => secret !== null)
  const version = versionOf(scope, webhook)
  const { body } = await bodyOf(scope, context, version)
  const attempt = { sentAt: at, version, excerpt: null }
  try {
    const answer = await scope.deps.outbound.call({
      method: 'POST',
      url: webhook.url,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Causeway-Webhooks/1',
        ...signatureHeaders({
          id: delivery.id,
          at,
          body,
          secrets,
          token: openSecret('auth_token'),
          peer: webhook.peer_headers === 1,
        }),
      },
      body,
      timeout: DELIVERY_TIMEOUT_MS,
      limit: MAX_RESPONSE_BYTES,
    })
    return {
      ...attempt,
      outcome: { status: answer.status, retryAfter: readRetryAfter(answer.header('Retry-After'), at) },
      excerpt: webhook.store_responses === 1 ? excerptOf(answer.body) : null,
    }
  } catch (error) {
    if (error instanceof OutboundError) return { ...attempt, outcome: { fault: error.fault } }
    throw error
  }
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

/** Saves an attempt's outcome. @param ms the duration of the attempt @returns the time of the next attempt, if any */
async function saveAttempt(
  tx: Scope,
  { delivery, webhook, lane }: DeliveryContext,
  attempt: DeliveryAttempt,
  ms: number,
) {
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
    ms: Math.round(ms),
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
    const startedAt = performance.now()
    const attempt = await sendDelivery(scope, context)
    const { outcome } = attempt
    const result = isDelivered(outcome) ? 'delivered' : 'status' in outcome ? 'refused' : 'unreachable'
    const ms = performance.now() - startedAt
    scope.deps.metrics.delivery(result, ms)
    return tx => saveAttempt(tx, context, attempt, ms)
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

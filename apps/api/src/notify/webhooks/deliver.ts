import type { JobHandler } from '../../platform/jobs/jobs.js'
import { noteLane } from '../../platform/jobs/lanes.js'
import { OutboundError } from '../../platform/outbound/outbound.js'
import { type Scope, sealer } from '../../platform/scope.js'
import { showEvents } from '../events/show.js'
import { findDelivery, type Going, noteAttempt } from './deliveries.js'
import { versionOf } from './show.js'
import { signatureHeaders } from './sign.js'
import { giveUp, recovered } from './status.js'
import {
  ANSWER_LIMIT,
  delaysOf,
  faultOf,
  isDelivered,
  isGone,
  isOn,
  type Outcome,
  opOf,
  PATIENCE,
  pauseFor,
  readRetryAfter,
} from './webhook.js'

/** The payload. The event is shown at the webhook's version. Source: contract, webhook payload. */
async function bodyOf(scope: Scope, { webhook, event }: Going): Promise<string> {
  const [whole] = webhook.expand_event === 1 ? await showEvents(scope, [event], versionOf(scope, webhook)) : []
  return JSON.stringify({
    webhook_id: webhook.id,
    id: event.resource_id,
    type: webhook.type,
    op: opOf(webhook.type),
    ...(event.path === null ? {} : { path: event.path }),
    event: whole ?? event.id,
    refs: event.refs === null ? null : JSON.parse(event.refs),
  })
}

/** One attempt: sends, and says what came of it. */
async function attempt(scope: Scope, going: Going): Promise<Outcome> {
  const { webhook, delivery } = going
  const { open } = sealer(scope)
  const at = scope.deps.clock()
  const read = (field: 'hmac_secret' | 'previous_secret' | 'auth_token') => {
    const sealed = webhook[field]
    return sealed === null ? null : open({ id: webhook.id, field }, sealed)
  }
  const previous = webhook.previous_until !== null && webhook.previous_until > at ? read('previous_secret') : null
  const secrets = [read('hmac_secret'), previous].filter(secret => secret !== null)
  const body = await bodyOf(scope, going)
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
          token: read('auth_token'),
          peer: webhook.peer_headers === 1,
        }),
      },
      body,
      timeout: PATIENCE,
      limit: ANSWER_LIMIT,
    })
    return { status: answer.status, retryAfter: readRetryAfter(answer.header('Retry-After'), at) }
  } catch (error) {
    if (error instanceof OutboundError) return { fault: error.fault }
    throw error
  }
}

/** Nothing to send, unless it was put on its way again meanwhile. */
const skip = (id: string) => async (tx: Scope) => {
  await tx.deps.store
    .lock(tx.db.selectFrom('deliveries').select('id').where('team_id', '=', tx.team.id).where('id', '=', id))
    .executeTakeFirst()
  const going = await findDelivery(tx, id)
  if (going?.delivery.status !== 'pending') return undefined
  if (isOn(going.webhook.status)) return { again: tx.now }
  await tx.db
    .updateTable('deliveries')
    .set({ status: 'canceled', next_at: null, finished_at: tx.now, updated_at: tx.now })
    .where('team_id', '=', tx.team.id)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute()
  return undefined
}

/** Keeps what came of an attempt. @param ms how long it took @returns when to try again, if so */
async function save(tx: Scope, { delivery, webhook, lane }: Going, outcome: Outcome, ms: number) {
  const { now, deps, team } = tx
  const ok = isDelivered(outcome)
  const pause = pauseFor(outcome, lane.failures)
  if (!ok || lane.failures > 0) await noteLane(tx, webhook.lane, ok, pause && deps.clock() + pause)
  const delays = delaysOf(deps.environment, team.settings.webhook_schedule)
  // Code that switches a webhook off, or may have to, locks it before its deliveries.
  if (ok ? webhook.failures > 0 : delivery.attempts >= delays.length || isGone(outcome))
    await deps.store
      .lock(tx.db.selectFrom('webhooks').select('id').where('team_id', '=', team.id).where('id', '=', webhook.id))
      .execute()
  // One that was called off while it was on its way arrived all the same.
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
  await noteAttempt(tx, row, ms)
  if (ok) {
    await recovered(tx, webhook)
    return undefined
  }
  const delay = delays[row.attempts - 1]
  if (delay !== undefined && !isGone(outcome)) {
    const again = now + Math.max(delay, 'retryAfter' in outcome ? (outcome.retryAfter ?? 0) : 0)
    await tx.db
      .updateTable('deliveries')
      .set({ next_at: again })
      .where('team_id', '=', team.id)
      .where('id', '=', row.id)
      .execute()
    return { again }
  }
  await tx.db
    .updateTable('deliveries')
    .set({ status: 'failed', next_at: null, finished_at: now })
    .where('team_id', '=', team.id)
    .where('id', '=', row.id)
    .execute()
  await giveUp(tx, webhook.id, outcome)
  return undefined
}

/** Sends one delivery, once; the schedule decides whether the job comes back. */
export const deliver: JobHandler = {
  async run(scope, payload) {
    const id = payload['delivery'] ?? ''
    const going = await findDelivery(scope, id)
    if (going?.delivery.status !== 'pending' || !isOn(going.webhook.status)) return skip(id)
    const began = performance.now()
    const outcome = await attempt(scope, going)
    const what = isDelivered(outcome) ? 'delivered' : 'status' in outcome ? 'refused' : 'unreachable'
    const ms = performance.now() - began
    scope.deps.metrics.delivery(what, ms)
    return tx => save(tx, going, outcome, ms)
  },
}

import { resourceError } from '@causeway/contract/errors'
import { writeJson } from '../../platform/db/json.js'
import { findRow, lockRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import { emit } from '../emit.js'
import { scheduleProbe } from './probes.js'
import { showWebhook, type WebhookRow } from './show.js'
import {
  ATTENTION_ATTEMPTS,
  disableTime,
  errorFor,
  isEnabled,
  isGoneResponse,
  noFailures,
  type Outcome,
} from './webhook.js'

/** Returns true if a success changes the webhook's state. */
export const hasFailures = ({ status, failing_since, failures }: WebhookRow): boolean =>
  status !== 'active' || failing_since !== null || failures > 0

/** Changes a webhook. Emits an event if the change includes its status. */
export async function changeWebhook(scope: Scope, before: WebhookRow, set: Partial<WebhookRow>): Promise<WebhookRow> {
  const row = await scope.db
    .updateTable('webhooks')
    .set({ ...set, updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.status !== before.status) await emit(scope, 'webhook.update', showWebhook(row), showWebhook(before))
  return row
}

/** Clears a webhook's failures after a successful delivery. The webhook must be locked if it has failures. */
export async function recordSuccess(tx: Scope, webhook: WebhookRow): Promise<void> {
  if (!hasFailures(webhook)) return
  const row = await findRow(tx, 'webhooks', webhook.id)
  if (row && isEnabled(row.status)) await changeWebhook(tx, row, { status: 'active', error: null, ...noFailures })
}

/**
 * Records a failed attempt. A webhook whose deliveries keep failing requires attention, and is later disabled. The
 * service then tries the endpoint from time to time, unless it said that it is gone.
 * @param attempts the number of the delivery's failed attempts
 * @param isLast true if the delivery has no attempts left
 * @returns true if the webhook is disabled
 */
export async function recordFailure(
  tx: Scope,
  id: string,
  outcome: Outcome,
  { attempts, isLast }: { attempts: number; isLast: boolean },
): Promise<boolean> {
  const { deps, now, team } = tx
  const row = (await lockRow(tx, 'webhooks', id))!
  if (!isEnabled(row.status)) return true
  const failing = {
    failures: row.failures + (isLast ? 1 : 0),
    failing_since: row.failing_since ?? now,
    failing_since_real: row.failing_since_real ?? deps.clock(),
  }
  const from = disableTime(deps.environment, failing, team.clockOffset)
  const disables = isGoneResponse(outcome) || (from !== null && now >= from)
  const error = writeJson(resourceError(errorFor(outcome, disables)))
  if (disables) {
    const disabled = await disableWebhook(tx, row, { ...failing, error })
    // mutant: gone-is-final (true)
    if (!isGoneResponse(outcome)) await scheduleProbe(tx, disabled)
    return true
  }
  const needsAttention = isLast || attempts >= ATTENTION_ATTEMPTS
  if (needsAttention && (isLast || row.error !== error || row.failing_since === null))
    await changeWebhook(tx, row, { ...failing, status: 'requires_attention', error })
  else if (row.failing_since === null)
    await tx.db.updateTable('webhooks').set(failing).where('team_id', '=', team.id).where('id', '=', id).execute()
  return false
}

/** Disables a webhook and cancels its pending deliveries. */
export async function disableWebhook(tx: Scope, webhook: WebhookRow, set: Partial<WebhookRow>): Promise<WebhookRow> {
  const row = await changeWebhook(tx, webhook, { ...set, status: 'disabled' })
  await cancelDeliveries(tx, row.id)
  return row
}

/** Cancels a webhook's pending deliveries. Canceled deliveries remain in the list and can be sent again. */
export async function cancelDeliveries(tx: Scope, id: string): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ status: 'canceled', next_at: null, finished_at: tx.now, updated_at: tx.now })
    .where('team_id', '=', tx.team.id)
    .where('webhook_id', '=', id)
    .where('status', '=', 'pending')
    .execute()
}

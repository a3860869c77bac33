import { resourceError } from '@causeway/contract/errors'
import { writeJson } from '../../platform/db/json.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Scope } from '../../platform/scope.js'
import type { WebhookRow } from './show.js'
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

/** Clears a webhook's failures after a successful delivery. */
export async function recordSuccess(tx: Scope, webhook: WebhookRow): Promise<void> {
  if (!hasFailures(webhook)) return
  await tx.db
    .updateTable('webhooks')
    .set({ status: 'active', error: null, ...noFailures, updated_at: tx.now })
    .where('team_id', '=', tx.team.id)
    .where('id', '=', webhook.id)
    .where('status', 'in', ['active', 'requires_attention'])
    .execute()
}

/**
 * Records a failed attempt. A webhook whose deliveries keep failing requires attention, and is later disabled.
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
  const query = tx.db.selectFrom('webhooks').selectAll().where('team_id', '=', team.id).where('id', '=', id)
  const row = await lockRows(tx.db, query).executeTakeFirstOrThrow()
  if (!isEnabled(row.status)) return true
  const failing = {
    failures: row.failures + (isLast ? 1 : 0),
    failing_since: row.failing_since ?? now,
    failing_since_real: row.failing_since_real ?? deps.clock(),
  }
  const from = disableTime(deps.environment, failing, team.clockOffset)
  const disables = isGoneResponse(outcome) || (from !== null && now >= from)
  const error = writeJson(resourceError(errorFor(outcome, disables)))
  const needsAttention = isLast || attempts >= ATTENTION_ATTEMPTS
  if (row.failing_since === null || isLast || (needsAttention && row.error !== error))
    await tx.db
      .updateTable('webhooks')
      .set({
        ...failing,
        ...(needsAttention ? { status: 'requires_attention' as const, error, updated_at: now } : {}),
      })
      .where('team_id', '=', team.id)
      .where('id', '=', id)
      .execute()
  if (disables) await disableWebhook(tx, id, error)
  return disables
}

/** Disables a webhook and cancels its pending deliveries. */
export async function disableWebhook(tx: Scope, id: string, error: WebhookRow['error']): Promise<WebhookRow> {
  const row = await tx.db
    .updateTable('webhooks')
    .set({ status: 'disabled', error, updated_at: tx.now })
    .where('team_id', '=', tx.team.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await cancelDeliveries(tx, id)
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

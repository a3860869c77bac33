import { resourceError } from '@causeway/contract/errors'
import { writeJson } from '../../platform/db/json.js'
import { locked } from '../../platform/db/row-locks.js'
import type { Scope } from '../../platform/scope.js'
import type { WebhookRow } from './show.js'
import { errorFor, isGone, isHopeless, isOn, type Outcome } from './webhook.js'

const DAY = 86_400_000

/** Clears a webhook's failures after a successful delivery. */
export async function recovered(tx: Scope, seen: WebhookRow): Promise<void> {
  if (seen.failures === 0 && seen.status === 'active') return
  await tx.db
    .updateTable('webhooks')
    .set({ status: 'active', error: null, failures: 0, updated_at: tx.now })
    .where('team_id', '=', tx.team.id)
    .where('id', '=', seen.id)
    .where('status', 'in', ['active', 'requires_attention'])
    .execute()
}

/** Records that a delivery was abandoned. The delivery's webhook then requires attention or is disabled. */
export async function giveUp(tx: Scope, id: string, outcome: Outcome): Promise<void> {
  const query = tx.db.selectFrom('webhooks').selectAll().where('team_id', '=', tx.team.id).where('id', '=', id)
  const row = await locked(tx.db, query).executeTakeFirstOrThrow()
  if (!isOn(row.status)) return
  const failures = row.failures + 1
  const off = isGone(outcome) || isHopeless(failures, await lastDay(tx, row))
  const error = writeJson(resourceError(errorFor(outcome, off)))
  await tx.db
    .updateTable('webhooks')
    .set({ failures, updated_at: tx.now })
    .where('team_id', '=', tx.team.id)
    .where('id', '=', id)
    .execute()
  if (off) await switchOff(tx, id, error)
  else
    await tx.db
      .updateTable('webhooks')
      .set({ status: 'requires_attention', error })
      .where('team_id', '=', tx.team.id)
      .where('id', '=', id)
      .execute()
}

/** Counts a webhook's deliveries that ended within the last 24 hours and after the webhook was last enabled. */
async function lastDay(tx: Scope, { id, counted_since }: WebhookRow): Promise<{ failed: number; all: number }> {
  const { failed, all } = await tx.db
    .selectFrom('deliveries')
    .select(from => [
      from.fn.countAll<number>().as('all'),
      from.fn.sum<number>(from.case().when('status', '=', 'failed').then(1).else(0).end()).as('failed'),
    ])
    .where('team_id', '=', tx.team.id)
    .where('webhook_id', '=', id)
    .where('finished_at', '>', Math.max(tx.now - DAY, counted_since))
    .where('status', 'in', ['delivered', 'failed'])
    .executeTakeFirstOrThrow()
  return { failed: Number(failed ?? 0), all: Number(all) }
}

/** Disables a webhook and cancels its pending deliveries. */
export async function switchOff(tx: Scope, id: string, error: WebhookRow['error']): Promise<WebhookRow> {
  const row = await tx.db
    .updateTable('webhooks')
    .set({ status: 'disabled', error, updated_at: tx.now })
    .where('team_id', '=', tx.team.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await callOff(tx, id)
  return row
}

/** Cancels a webhook's pending deliveries. Canceled deliveries remain in the list and can be sent again. */
export async function callOff(tx: Scope, id: string): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ status: 'canceled', next_at: null, finished_at: tx.now, updated_at: tx.now })
    .where('team_id', '=', tx.team.id)
    .where('webhook_id', '=', id)
    .where('status', '=', 'pending')
    .execute()
}

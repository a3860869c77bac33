import { findRow, orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import type { WebhookRow } from './show.js'

/** Returns the team's webhook with this id. Throws NOT_FOUND. */
export async function findWebhookOrThrow(ctx: Ctx, id: string): Promise<WebhookRow> {
  const row = await findRow(ctx, 'webhooks', id)
  return orNotFound(row?.status === 'deleted' ? undefined : row)
}

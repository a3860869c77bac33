import { ServiceError } from '@causeway/contract/errors'
import type { Ctx } from '../../platform/scope.js'
import type { WebhookRow } from './show.js'

/** Returns the team's webhook with this id. Throws NOT_FOUND. */
export async function findWebhookOrThrow(ctx: Ctx, id: string): Promise<WebhookRow> {
  const query = ctx.db
    .selectFrom('webhooks')
    .selectAll()
    .where('team_id', '=', ctx.team.id)
    .where('id', '=', id)
    .where('status', '!=', 'deleted')
  const row = await query.executeTakeFirst()
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

import { deliveries } from '@causeway/contract/endpoints/webhooks'
import { ServiceError } from '@causeway/contract/errors'
import { implement } from '../../platform/http/implement.js'
import { page } from '../../platform/http/paging.js'
import { one, type Route } from '../../platform/http/route.js'
import type { Ctx } from '../../platform/scope.js'
import { findDelivery, type Going, laneOfWebhook, showDelivery } from './deliveries.js'
import { beginRedelivery, resend } from './redeliver.js'
import { webhookById } from './store.js'

async function deliveryById(ctx: Ctx, { whk_id, dlv_id }: { whk_id: string; dlv_id: string }): Promise<Going> {
  const webhook = await webhookById(ctx, whk_id)
  const going = await findDelivery(ctx, dlv_id)
  if (going?.webhook.id !== webhook.id) throw new ServiceError('NOT_FOUND')
  return going
}

export const deliveryRoutes: Route[] = [
  implement(deliveries.listDeliveries, {
    async handle(ctx, { params, query: asked }) {
      const webhook = await webhookById(ctx, params.whk_id)
      const statuses = asked.all('status')
      const { rows, headers } = await page(ctx, 'delivery', from => {
        const query = from('deliveries').where('team_id', '=', ctx.team.id).where('webhook_id', '=', webhook.id)
        return statuses.length > 0 ? query.where('status', 'in', statuses) : query
      })
      const lane = await laneOfWebhook(ctx, webhook)
      return { shape: 'list', body: rows.map(row => showDelivery(ctx, row, webhook, lane)), headers }
    },
  }),
  implement(deliveries.retrieveDelivery, {
    async handle(ctx, { params }) {
      const { delivery, webhook, lane } = await deliveryById(ctx, params)
      return one(showDelivery(ctx, delivery, webhook, lane))
    },
  }),
  implement(deliveries.redeliver, {
    async handle(ctx, { params }) {
      const going = await deliveryById(ctx, params)
      const delivery = await resend(ctx, going)
      return one(showDelivery(ctx, delivery, going.webhook, await laneOfWebhook(ctx, going.webhook)))
    },
  }),
  implement(deliveries.redeliverMissed, {
    async handle(ctx, { params, body: { since } }) {
      const webhook = await webhookById(ctx, params.whk_id)
      return one({ webhook_id: webhook.id, since, queued: await beginRedelivery(ctx, webhook, Date.parse(since)) })
    },
  }),
]

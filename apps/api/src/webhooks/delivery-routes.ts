import { ServiceError } from '@causeway/contract/errors'
import { deliveryStatuses } from '@causeway/contract/resources/webhook'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { page } from '../http/paging.js'
import { one, type Route } from '../http/route.js'
import type { Ctx } from '../scope.js'
import { type DeliveryRow, findDelivery, type Going, laneOfWebhook, showDelivery } from './deliveries.js'
import { beginRedelivery, resend } from './redeliver.js'
import { webhookById } from './store.js'

const input = z.object({ since: z.iso.datetime() })
const statusFilter = z.object({ status: z.enum(deliveryStatuses).optional() })

async function deliveryById(ctx: Ctx): Promise<Going> {
  const webhook = await webhookById(ctx)
  const going = await findDelivery(ctx, ctx.params['dlv_id'] ?? '')
  if (going?.webhook.id !== webhook.id) throw new ServiceError('NOT_FOUND')
  return going
}

const base = '/webhooks/:whk_id'

export const deliveryRoutes: Route[] = [
  {
    method: 'GET',
    path: `${base}/deliveries`,
    async handle(ctx) {
      const webhook = await webhookById(ctx)
      const { status } = parse(statusFilter, { status: ctx.query.get('status') || undefined })
      const { rows, headers } = await page<DeliveryRow>(ctx, 'delivery', from => {
        const query = from('deliveries').where('webhook_id' as 'id', '=', webhook.id)
        return status ? query.where('status', '=', status) : query
      })
      const lane = await laneOfWebhook(ctx, webhook)
      return { shape: 'list', body: rows.map(row => showDelivery(ctx, row, webhook, lane)), headers }
    },
  },
  {
    method: 'GET',
    path: `${base}/deliveries/:dlv_id`,
    async handle(ctx) {
      const { delivery, webhook, lane } = await deliveryById(ctx)
      return one(showDelivery(ctx, delivery, webhook, lane))
    },
  },
  {
    method: 'POST',
    path: `${base}/deliveries/:dlv_id/redeliver`,
    async handle(ctx) {
      const going = await deliveryById(ctx)
      const delivery = await resend(ctx, going)
      return one(showDelivery(ctx, delivery, going.webhook, await laneOfWebhook(ctx, going.webhook)))
    },
  },
  {
    method: 'POST',
    path: `${base}/redeliver`,
    async handle(ctx) {
      const webhook = await webhookById(ctx)
      const { since } = parse(input, ctx.body())
      return one({ webhook_id: webhook.id, since, queued: await beginRedelivery(ctx, webhook, Date.parse(since)) })
    },
  },
]

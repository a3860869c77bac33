import { deliveries } from '@causeway/contract/endpoints/webhooks'
import { ServiceError } from '@causeway/contract/errors'
import { eachMinute } from '../../platform/each-minute.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page, readSpan } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { isFailing } from '../../platform/jobs/lanes.js'
import type { Ctx } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import {
  attemptsOf,
  findDelivery,
  type Going,
  laneOfWebhook,
  resourcesOf,
  showAttempt,
  showDelivery,
} from './deliveries.js'
import { beginRedelivery, resend } from './redeliver.js'
import { showRequest } from './request.js'
import { countDeliveries } from './stats.js'
import { webhookById } from './store.js'
import { disabledFrom } from './webhook.js'

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
      const [lane, resources] = await Promise.all([laneOfWebhook(ctx, webhook), resourcesOf(ctx, rows)])
      const body = rows.map(row => showDelivery(ctx, row, { webhook, lane, resource: resources.get(row.event_id)! }))
      return { shape: 'list', body, headers }
    },
  }),
  implement(deliveries.retrieveDelivery, {
    async handle(ctx, { params }) {
      const { delivery, event, ...at } = await deliveryById(ctx, params)
      return one(showDelivery(ctx, delivery, { ...at, resource: event.resource_id }))
    },
  }),
  implement(deliveries.retrieveDeliveryRequest, {
    handle: async (ctx, { params }) => one(await showRequest(ctx, await deliveryById(ctx, params))),
  }),
  implement(deliveries.redeliver, {
    async handle(ctx, { params }) {
      const going = await deliveryById(ctx, params)
      const { webhook, event } = going
      const delivery = await resend(ctx, going)
      const lane = await laneOfWebhook(ctx, webhook)
      return one(showDelivery(ctx, delivery, { webhook, lane, resource: event.resource_id }))
    },
  }),
  implement(deliveries.redeliverMissed, {
    async handle(ctx, { params, body: { since, until, dry_run } }) {
      const webhook = await webhookById(ctx, params.whk_id)
      const to = until ? Date.parse(until) : ctx.now
      const queued = await beginRedelivery(ctx, webhook, Date.parse(since), to, dry_run ?? false)
      return one({ webhook_id: webhook.id, since, queued })
    },
  }),
  implement(deliveries.listAttempts, {
    async handle(ctx, { params }) {
      const { delivery } = await deliveryById(ctx, params)
      return { shape: 'list', body: (await attemptsOf(ctx, delivery)).map(row => showAttempt(ctx, row)) }
    },
  }),
  implement(deliveries.retrieveWebhookStats, {
    async handle(ctx, { params, query }) {
      const webhook = await webhookById(ctx, params.whk_id)
      const { bucket, size, from, to, name } = readSpan(ctx.query, query.get('bucket'), ctx.now)
      const count = () => countDeliveries(ctx, webhook, from, to, size)
      const lane = await laneOfWebhook(ctx, webhook)
      const isPaused = lane.paused_until > ctx.deps.clock()
      const switchOffAt = disabledFrom(ctx.deps.environment, webhook, ctx.team.clockOffset)
      const switchedOff = webhook.status === 'disabled' && webhook.error !== null
      return one({
        from: showTime(from),
        to: showTime(to),
        bucket,
        ...(await eachMinute(ctx.deps.store, `deliveries ${webhook.id} ${name}`, ctx.deps.clock(), count)),
        paused_until: isPaused ? showTime(lane.paused_until + ctx.team.clockOffset) : null,
        paused_by: isPaused ? (isFailing(lane) ? 'failures' : 'endpoint') : null,
        failures_in_row: webhook.failures,
        failing_since: webhook.failing_since === null ? null : showTime(webhook.failing_since),
        switch_off_at: switchOffAt === null || switchedOff ? null : showTime(switchOffAt),
        switched_off_at: switchedOff ? showTime(webhook.updated_at) : null,
      })
    },
  }),
]

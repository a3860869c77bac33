import { deliveries } from '@causeway/contract/endpoints/webhooks'
import { ServiceError } from '@causeway/contract/errors'
import { auditConsole } from '../../platform/audit/store.js'
import { cacheResult } from '../../platform/cache-result.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page, readSpan } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { isFailing } from '../../platform/jobs/lanes.js'
import type { Ctx } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import {
  type DeliveryContext,
  findDelivery,
  findLane,
  listAttempts,
  showAttempt,
  showDeliveries,
  showDelivery,
} from './deliveries.js'
import { findNextProbe } from './probes.js'
import { resend, startRedelivery } from './redeliver.js'
import { showRequest } from './request.js'
import { countDeliveries } from './stats.js'
import { findWebhookOrThrow } from './store.js'
import { sendTest } from './test-request.js'
import { disableTime } from './webhook.js'

async function findDeliveryOrThrow(
  ctx: Ctx,
  { whk_id, dlv_id }: { whk_id: string; dlv_id: string },
): Promise<DeliveryContext> {
  const webhook = await findWebhookOrThrow(ctx, whk_id)
  const context = await findDelivery(ctx, dlv_id)
  if (context?.webhook.id !== webhook.id) throw new ServiceError('NOT_FOUND')
  return context
}

export const deliveryRoutes: Route[] = [
  implement(deliveries.listDeliveries, {
    async handle(ctx, { params, query: filter }) {
      const webhook = await findWebhookOrThrow(ctx, params.whk_id)
      const statuses = filter.all('status')
      const { rows, headers } = await page(ctx, 'delivery', from => {
        const query = from('deliveries').where('team_id', '=', ctx.team.id).where('webhook_id', '=', webhook.id)
        return statuses.length > 0 ? query.where('status', 'in', statuses) : query
      })
      return { shape: 'list', body: await showDeliveries(ctx, rows, [webhook]), headers }
    },
  }),
  implement(deliveries.retrieveDelivery, {
    async handle(ctx, { params }) {
      const { delivery, event, ...at } = await findDeliveryOrThrow(ctx, params)
      return one(showDelivery(ctx, delivery, { ...at, resource: event.resource_id }))
    },
  }),
  implement(deliveries.retrieveDeliveryRequest, {
    handle: async (ctx, { params }) => one(await showRequest(ctx, await findDeliveryOrThrow(ctx, params))),
  }),
  implement(deliveries.redeliver, {
    async handle(ctx, { params }) {
      const context = await findDeliveryOrThrow(ctx, params)
      const { webhook, event } = context
      const delivery = await resend(ctx, context)
      await auditConsole(ctx, 'delivery.resend', delivery.id)
      const lane = await findLane(ctx, webhook)
      return one(showDelivery(ctx, delivery, { webhook, lane, resource: event.resource_id }))
    },
  }),
  implement(deliveries.redeliverMissed, {
    async handle(ctx, { params, body: { since, until, dry_run } }) {
      const webhook = await findWebhookOrThrow(ctx, params.whk_id)
      const to = until ? Date.parse(until) : ctx.now
      const queued = await startRedelivery(ctx, webhook, Date.parse(since), to, dry_run ?? false)
      if (!dry_run) await auditConsole(ctx, 'webhook.resend', webhook.id)
      return one({ webhook_id: webhook.id, since, queued })
    },
  }),
  implement(deliveries.listAttempts, {
    async handle(ctx, { params }) {
      const { delivery } = await findDeliveryOrThrow(ctx, params)
      return { shape: 'list', body: (await listAttempts(ctx, delivery)).map(row => showAttempt(ctx, row)) }
    },
  }),
  implement(deliveries.testWebhook, {
    prepare: async (ctx, { params }) => sendTest(ctx, await findWebhookOrThrow(ctx, params.whk_id)),
    async handle(ctx, { params, prepared }) {
      await auditConsole(ctx, 'webhook.test', params.whk_id)
      return one(prepared)
    },
  }),
  implement(deliveries.retrieveWebhookStats, {
    async handle(ctx, { params, query }) {
      const webhook = await findWebhookOrThrow(ctx, params.whk_id)
      const { bucket, size, from, to, name } = readSpan(ctx.query, query.get('bucket'), ctx.now)
      const count = () => countDeliveries(ctx, webhook, from, to, size)
      const lane = await findLane(ctx, webhook)
      const isPaused = lane.paused_until > ctx.deps.clock()
      const switchOffAt = disableTime(ctx.deps.environment, webhook, ctx.team.clockOffset)
      const nextProbe = await findNextProbe(ctx, webhook)
      const switchedOff = webhook.status === 'disabled' && webhook.error !== null
      return one({
        from: showTime(from),
        to: showTime(to),
        bucket,
        ...(await cacheResult(ctx.deps.store, `deliveries ${webhook.id} ${name}`, ctx.deps.clock(), count)),
        paused_until: isPaused ? showTime(lane.paused_until + ctx.team.clockOffset) : null,
        paused_by: isPaused ? (isFailing(lane) ? 'failures' : 'endpoint') : null,
        failures_in_row: webhook.failures,
        failing_since: webhook.failing_since === null ? null : showTime(webhook.failing_since),
        switch_off_at: switchOffAt === null || switchedOff ? null : showTime(switchOffAt),
        switched_off_at: switchedOff ? showTime(webhook.updated_at) : null,
        next_probe_at: nextProbe === null ? null : showTime(nextProbe),
      })
    },
  }),
]

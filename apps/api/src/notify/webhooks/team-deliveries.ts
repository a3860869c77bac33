/** The deliveries of all of a team's webhooks. */
import { deliveries, MAX_DELIVERY_IDS } from '@causeway/contract/endpoints/webhooks'
import { ServiceError } from '@causeway/contract/errors'
import { sql } from 'kysely'
import { auditConsole } from '../../platform/audit/store.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page, type TimeOrder } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import { type DeliveryRow, showDeliveries } from './deliveries.js'
import { resendAll } from './redeliver.js'

/** Returns the webhooks of these deliveries. They may have been deleted. */
const webhooksOf = ({ db, team }: Ctx, rows: readonly DeliveryRow[]) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('id', 'in', [...new Set(rows.map(row => row.webhook_id)), ''])
    .execute()

/** Returns every combination of a filter's values and another's. A filter that was not sent has one value, undefined. */
const combine = <A, B>(first: readonly A[], second: readonly B[]): [A | undefined, B | undefined][] => {
  const values = <T>(all: readonly T[]): (T | undefined)[] => (all.length > 0 ? [...new Set(all)] : [undefined])
  return values(first).flatMap(a => values(second).map((b): [A | undefined, B | undefined] => [a, b]))
}

const byEnd: TimeOrder = { column: 'finished_at', from: 'ended_from_date', to: 'ended_to_date' }

/** The statuses of deliveries that ended without a success. The list can select and sort them by the time of the end. */
const unsuccessful = ['failed', 'canceled'] as const

/** Returns true if a request lists deliveries by the time at which they ended. Throws INVALID_REQUEST. */
function sortsByEnd(query: URLSearchParams): boolean {
  const sort = query.get('sort')
  const days = [byEnd.from, byEnd.to].filter(name => query.get(name))
  if (days.length === 0 && !sort?.endsWith(byEnd.column)) return false
  const name = days[0] ?? 'sort=finished_at'
  const other = ['from_date', 'to_date', 'event_id'].find(each => query.get(each))
  if (other) throw new ServiceError('INVALID_REQUEST', `${name} cannot be combined with ${other}. Send one of them.`)
  if (sort && !sort.endsWith(byEnd.column))
    throw new ServiceError('INVALID_REQUEST', `With ${name}, sort must be finished_at or -finished_at.`)
  return true
}

export const teamDeliveryRoutes: Route[] = [
  implement(deliveries.listAllDeliveries, {
    async handle(ctx, { query: filter }) {
      const webhooks = filter.all('webhook_id')
      const ids = filter.all('id')
      for (const [name, values] of Object.entries({ webhook_id: webhooks, id: ids }))
        if (values.length > MAX_DELIVERY_IDS)
          throw new ServiceError('INVALID_REQUEST', `${name} can have at most ${MAX_DELIVERY_IDS} values.`)
      const event = filter.get('event_id')
      const isByEnd = sortsByEnd(ctx.query)
      const selected = filter.all('status')
      const isUnsuccessful = (status: string) => (unsuccessful as readonly string[]).includes(status)
      if (isByEnd && !selected.every(isUnsuccessful))
        throw new ServiceError(
          'INVALID_REQUEST',
          'Only failed and canceled deliveries are listed by the time at which they ended. Omit status, or send only failed or canceled.',
        )
      const statuses = isByEnd && selected.length === 0 ? unsuccessful : selected
      const { rows, headers } = await page(
        ctx,
        'delivery',
        from => {
          let query = from('deliveries').where('team_id', '=', ctx.team.id)
          if (ids.length > 0) query = query.where('id', 'in', ids)
          if (!event) return query
          // The index on an event's deliveries begins with the webhook.
          return query
            .where('event_id', '=', event)
            .where('webhook_id', 'in', at =>
              at.selectFrom('webhooks').select('webhooks.id').where('webhooks.team_id', '=', ctx.team.id),
            )
        },
        // Each combination has an index in the order of the list.
        (webhooks.length + statuses.length > 0 ? combine(webhooks, statuses) : []).map(([webhook, status]) => query => {
          let part = query
          if (webhook) part = part.where('webhook_id', '=', webhook)
          if (status) part = part.where('status', '=', status)
          // Matches the partial indexes on deliveries that did not succeed.
          return status && status !== 'delivered' ? part.where('status', '<>', sql.lit('delivered')) : part
        }),
        undefined,
        isByEnd ? byEnd : undefined,
      )
      return { shape: 'list', body: await showDeliveries(ctx, rows, await webhooksOf(ctx, rows)), headers }
    },
  }),
  implement(deliveries.redeliverSelected, {
    async handle(ctx, { body: { ids } }) {
      const results = await resendAll(ctx, [...new Set(ids)])
      const queued = results.filter(each => each.queued)
      for (const { id } of queued) await auditConsole(ctx, 'delivery.resend', id)
      return one({ queued: queued.length, deliveries: results })
    },
  }),
]

import { ServiceError } from '@causeway/contract/errors'
import { eventNouns } from '@causeway/contract/events'
import { page } from '../http/paging.js'
import { type Route, shown } from '../http/route.js'
import { typesNamed } from './event.js'
import { type EventRow, nounAt, showEvents, typeAt } from './show.js'

export const eventRoutes: Route[] = [
  {
    method: 'GET',
    path: '/events',
    async handle(ctx) {
      const [resource, noun, type] = ['resource_id', 'resource_type', 'type'].map(name => ctx.query.get(name) || null)
      const { rows, headers } = await page<EventRow>(ctx, 'event', from => {
        let query = from('events').where('team_id', '=', ctx.team.id)
        if (resource) query = query.where('resource_id' as 'id', '=', resource)
        if (noun) {
          const named = eventNouns.filter(each => nounAt(ctx.version, each) === noun)
          query = query.where('resource_type' as 'id', 'in', [noun, ...named])
        }
        if (type)
          query = query.where(
            'type',
            'in',
            typesNamed(type, each => typeAt(ctx.version, each)),
          )
        return query
      })
      return shown({ shape: 'list', body: await showEvents(ctx, rows, ctx.version), headers })
    },
  },
  {
    method: 'GET',
    path: '/events/:evt_id',
    async handle(ctx) {
      const row = await ctx.db
        .selectFrom('events')
        .selectAll()
        .where('team_id', '=', ctx.team.id)
        .where('id', '=', ctx.params['evt_id'] ?? '')
        .executeTakeFirst()
      if (!row) throw new ServiceError('NOT_FOUND')
      const [body] = await showEvents(ctx, [row], ctx.version)
      return shown({ shape: 'one', body })
    },
  },
]

import { endpoints } from '@causeway/contract/endpoints/requests'
import { ServiceError } from '@causeway/contract/errors'
import { implement } from '../../platform/http/implement.js'
import { page, readSpan } from '../../platform/http/paging.js'
import { one, type Route } from '../../platform/http/route.js'
import { showTime } from '../../platform/show.js'
import { showRequest, showRequestDetail } from './show.js'
import { summarize } from './stats.js'
import { countRequests, findRequest } from './store.js'

export const requestRoutes: Route[] = [
  implement(endpoints.listRequests, {
    async handle(ctx, { query: asked }) {
      const outcomes = asked.all('outcome')
      const subTypes = asked.all('sub_type')
      const sources = asked.all('source')
      const resources = asked.all('resource_id')
      const { rows, headers } = await page(ctx, 'request', from => {
        let query = from('requests').where('team_id', '=', ctx.team.id)
        if (outcomes.length === 1) query = query.where('sub_type', outcomes[0] === 'failed' ? 'is not' : 'is', null)
        if (subTypes.length > 0) query = query.where('sub_type', 'in', subTypes)
        if (sources.length > 0) query = query.where('source', 'in', sources)
        if (resources.length > 0)
          query = query.where('id', 'in', within =>
            within
              .selectFrom('request_refs')
              .select('request_id')
              .where('team_id', '=', ctx.team.id)
              .where('about', 'in', resources),
          )
        return query
      })
      return { shape: 'list', body: rows.map(showRequest), headers }
    },
  }),
  implement(endpoints.retrieveRequest, {
    async handle(ctx, { params }) {
      const row = await findRequest(ctx, params.req_id)
      if (!row) throw new ServiceError('NOT_FOUND')
      return one(showRequestDetail(ctx, row))
    },
  }),
  implement(endpoints.retrieveRequestStats, {
    async handle(ctx, { query }) {
      // Requests have real time, also where the team's sandbox clock is ahead.
      const { bucket, size, from, to } = readSpan(ctx.query, query.get('bucket'), ctx.deps.clock())
      const { buckets, top_errors } = summarize(await countRequests(ctx, from, to, size), size)
      return one({
        from: showTime(from),
        to: showTime(to),
        bucket,
        buckets: buckets.map(each => ({ ...each, at: showTime(each.at) })),
        top_errors,
      })
    },
  }),
]

import { endpoints } from '@causeway/contract/endpoints/requests'
import { ServiceError } from '@causeway/contract/errors'
import { sql } from 'kysely'
import { cacheResult } from '../../platform/cache-result.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page, readSpan } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import { showTime } from '../../platform/show.js'
import { showRequest, showRequestDetail } from './show.js'
import { summarize } from './stats.js'
import { countRequests, findBodies, findRequest, selectRequestsAbout } from './store.js'

export const requestRoutes: Route[] = [
  implement(endpoints.listRequests, {
    async handle(ctx, { query: filters }) {
      const outcomes = filters.all('outcome')
      const subTypes = filters.all('sub_type')
      const sources = filters.all('source')
      const [resource = null, ...others] = filters.all('resource_id')
      if (others.length > 0)
        throw new ServiceError(
          'INVALID_SEARCH_PARAMETERS',
          'resource_id must be a single id. Send a separate request for each id.',
        )
      // A query with both filters would read all of the resource's requests to find the few that came from one source.
      if (resource !== null && sources.length > 0)
        throw new ServiceError('INVALID_SEARCH_PARAMETERS', 'source cannot be combined with resource_id.')
      const isFailed = (outcomes.length === 1 && outcomes[0] === 'failed') || subTypes.length > 0
      const { rows, headers } = await page(ctx, 'request', from => {
        const requests = resource === null ? from('requests') : selectRequestsAbout(ctx, resource, isFailed, subTypes)
        let query = requests.where('team_id', '=', ctx.team.id)
        if (outcomes.length === 1) query = query.where('sub_type', outcomes[0] === 'failed' ? 'is not' : 'is', null)
        if (subTypes.length > 0) query = query.where('sub_type', 'in', subTypes)
        // A literal value lets the query use the partial index on console requests.
        if (sources.length === 1 && sources[0] === 'console') query = query.where('source', '=', sql.lit('console'))
        else if (sources.length > 0) query = query.where('source', 'in', sources)
        return query
      })
      return { shape: 'list', body: rows.map(showRequest), headers }
    },
  }),
  implement(endpoints.retrieveRequest, {
    async handle(ctx, { params }) {
      const row = orNotFound(await findRequest(ctx, params.req_id))
      const sealed = row.bodies_id === null ? undefined : await findBodies(ctx, row.bodies_id)
      return one(showRequestDetail(ctx, row, sealed))
    },
  }),
  implement(endpoints.retrieveRequestStats, {
    async handle(ctx, { query }) {
      // Requests are logged with the real time, even if the team's sandbox clock is ahead.
      const now = ctx.deps.clock()
      const { bucket, size, from, to, name } = readSpan(ctx.query, query.get('bucket'), now)
      return one(
        await cacheResult(ctx.deps.store, `requests ${ctx.team.id} ${name}`, now, async () => {
          const { buckets, top_errors } = summarize(await countRequests(ctx, from, to, size), size)
          return {
            from: showTime(from),
            to: showTime(to),
            bucket,
            buckets: buckets.map(each => ({ ...each, at: showTime(each.at) })),
            top_errors,
          }
        }),
      )
    },
  }),
]

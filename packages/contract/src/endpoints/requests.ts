import { z } from 'zod'
import { counting, endpoint, type Family, paging, sorting } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { type ErrorSubType, errors } from '../errors.js'
import { request, requestDetail, requestOutcomes, requestSources, requestStats } from '../resources/request.js'

export const endpoints = {
  listRequests: endpoint({
    method: 'GET',
    path: '/requests',
    summary: 'List requests',
    description:
      'Returns the requests from the last 30 days that were made with a team key or token. A request appears about ' +
      'a second after its response. Under heavy load, the log can omit requests.',
    query: {
      outcome: z.enum(requestOutcomes),
      sub_type: z.enum(Object.keys(errors) as ErrorSubType[]),
      resource_id: z.string().describe('Only requests that contain this id in the path, the body or the response'),
      source: z.enum(requestSources).describe('Cannot be combined with resource_id'),
      ...paging,
      ...counting,
      ...sorting,
    },
    answer: request,
    shape: 'list',
    example: { answer: [examples.request] },
  }),
  retrieveRequest: endpoint({
    method: 'GET',
    path: '/requests/:req_id',
    summary: 'Retrieve a request',
    description:
      'The log stores the bodies of writes and of rejected requests for 7 days, without personal or secret values, up to 16 kB each.',
    answer: requestDetail,
    example: {
      answer: {
        ...examples.request,
        request: { source: examples.request.resource_ids[0], amount: 500000, description: '[redacted]' },
        response: {
          error: {
            type: 'INVALID_REQUEST',
            code: 400,
            sub_type: 'INVALID_AMOUNT',
            message: errors.INVALID_AMOUNT.message,
          },
        },
      },
    },
  }),
  retrieveRequestStats: endpoint({
    method: 'GET',
    path: '/requests/stats',
    summary: 'Count requests by hour or day',
    description:
      'By default, covers the last 24 hours and the current hour. The maximum is 31 days. Counts can be up to a minute old. ' +
      'Durations are accurate to within 10 percent.',
    query: {
      bucket: z.enum(['hour', 'day']).describe('Default: `hour`'),
      from_date: paging.from_date,
      to_date: paging.to_date,
    },
    answer: requestStats,
    example: {
      answer: {
        from: '2026-03-02T15:00:00.000Z',
        to: '2026-03-03T15:00:00.000Z',
        bucket: 'hour',
        buckets: [
          {
            at: '2026-03-02T15:00:00.000Z',
            count: 120,
            by_status: { '2xx': 118, '4xx': 2, '5xx': 0 },
            p50_ms: 4,
            p95_ms: 12,
          },
        ],
        top_errors: [{ sub_type: 'INVALID_AMOUNT', count: 2 }],
      },
    },
  }),
}

export const requestFamily: Family = {
  name: 'Requests',
  about: 'The log of the requests that a team made, with their errors and durations.',
  endpoints,
}

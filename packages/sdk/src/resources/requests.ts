import type { Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

export type RequestListParams = Query<'GET /requests'>

/** The team's logged requests, newest first, with response times and the reason for each rejection. */
export const createRequests = ({ one, list }: Verbs) => ({
  /** @param id an error's `request_id` or a response's `Request-Id` */
  retrieve: (id: string, options?: RequestOptions) => one('GET /requests/:req_id', [id], {}, options),
  list: (params?: RequestListParams, options?: RequestOptions) => list('GET /requests', [], params, options),
  stats: (params?: Query<'GET /requests/stats'>, options?: RequestOptions) =>
    one('GET /requests/stats', [], params ?? {}, options),
})

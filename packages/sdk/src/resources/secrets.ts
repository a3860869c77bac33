import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

/** Encrypted values for use in forwarded requests. Responses never include the values. */
export const createSecrets = ({ one, data, list }: Verbs) => ({
  create: (params: Body<'POST /secrets'>, options?: RequestOptions) => one('POST /secrets', [], params, options),
  retrieve: (id: string, options?: RequestOptions) => one('GET /secrets/:sec_id', [id], {}, options),
  list: (params?: Query<'GET /secrets'>, options?: RequestOptions) => list('GET /secrets', [], params, options),
  delete: (id: string, options?: RequestOptions) => data('DELETE /secrets/:sec_id', [id], {}, options),
})

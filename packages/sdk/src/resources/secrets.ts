import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

/** Values that are kept for forwarding. No answer ever holds one. */
export const createSecrets = ({ one, data, list }: Verbs) => ({
  create: (params: Body<'POST /secrets'>, options?: RequestOptions) => one('POST /secrets', [], params, options),
  retrieve: (id: string, options?: RequestOptions) => one('GET /secrets/:sec_id', [id], {}, options),
  list: (params?: Query<'GET /secrets'>, options?: RequestOptions) => list('GET /secrets', [], params, options),
  delete: (id: string, options?: RequestOptions) => data('DELETE /secrets/:sec_id', [id], {}, options),
})

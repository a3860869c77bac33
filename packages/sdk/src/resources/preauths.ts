import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

/** What the network expects of a charge to a card. */
export const createPreauths = ({ one, list }: Verbs) => ({
  create: (params: Body<'POST /preauth'>, options?: RequestOptions) => one('POST /preauth', [], params, options),
  list: (params?: Query<'GET /preauth'>, options?: RequestOptions) => list('GET /preauth', [], params, options),
  retrieve: (id: string, options?: RequestOptions) => one('GET /preauth/:preauth_id', [id], {}, options),
})

import type { Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

/** Payment and session counts, which can be up to a minute old. */
export const createStats = ({ one }: Verbs) => ({
  /** Counts payments by day and status. */
  payments: (params?: Query<'GET /stats/payments'>, options?: RequestOptions) =>
    one('GET /stats/payments', [], params ?? {}, options),
  /** Counts sessions by step. */
  funnel: (params?: Query<'GET /stats/funnel'>, options?: RequestOptions) =>
    one('GET /stats/funnel', [], params ?? {}, options),
})

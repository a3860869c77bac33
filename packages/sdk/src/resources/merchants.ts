import type { Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

export type MerchantListParams = Query<'GET /merchants'>

/** Institutions that hold liability accounts. The list is the same for every team. */
export const createMerchants = ({ one, list }: Verbs) => ({
  retrieve: (id: string, options?: RequestOptions) => one('GET /merchants/:mch_id', [id], {}, options),
  list: (params?: MerchantListParams, options?: RequestOptions) => list('GET /merchants', [], params, options),
})

/** Card products that issuers offer. */
export const createCardProducts = ({ one }: Verbs) => ({
  retrieve: (id: string, options?: RequestOptions) => one('GET /card_products/:pdt_id', [id], {}, options),
})

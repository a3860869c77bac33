import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

export type PaymentCreateParams = Body<'POST /payments'>
export type PaymentListParams = Query<'GET /payments'>
export type PaymentExpand = Query<'GET /payments/:pmt_id'>

/** Money from one account to another. */
export const createPayments = ({ one, list }: Verbs) => ({
  create: (params: PaymentCreateParams, options?: RequestOptions) => one('POST /payments', [], params, options),
  retrieve: (id: string, params?: PaymentExpand, options?: RequestOptions) =>
    one('GET /payments/:pmt_id', [id], params, options),
  list: (params?: PaymentListParams, options?: RequestOptions) => list('GET /payments', [], params, options),
  /** Stops a payment that is still `pending`; anything else is INVALID_STATUS. */
  cancel: (id: string, options?: RequestOptions) => one('DELETE /payments/:pmt_id', [id], {}, options),
  /** Money on its way back. */
  reversals: {
    /** All of a payment's, in the order that they were made. */
    list: (payment: string, options?: RequestOptions) =>
      list('GET /payments/:pmt_id/reversals', [payment], {}, options),
    retrieve: (payment: string, id: string, options?: RequestOptions) =>
      one('GET /payments/:pmt_id/reversals/:rvs_id', [payment, id], {}, options),
    /** Lets the money move back, while the reversal is `pending_approval`; anything else is INVALID_REVERSAL_STATUS. */
    approve: (payment: string, id: string, params: { description?: string } = {}, options?: RequestOptions) =>
      one('PUT /payments/:pmt_id/reversals/:rvs_id', [payment, id], { ...params, status: 'pending' }, options),
  },
})

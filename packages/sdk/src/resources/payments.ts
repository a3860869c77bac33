import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

export type PaymentCreateParams = Body<'POST /payments'>
export type PaymentListParams = Query<'GET /payments'>
export type PaymentExpand = Query<'GET /payments/:pmt_id'>

/** Transfers of money from one account to another. */
export const createPayments = ({ one, list }: Verbs) => ({
  create: (params: PaymentCreateParams, options?: RequestOptions) => one('POST /payments', [], params, options),
  retrieve: (id: string, params?: PaymentExpand, options?: RequestOptions) =>
    one('GET /payments/:pmt_id', [id], params, options),
  list: (params?: PaymentListParams, options?: RequestOptions) => list('GET /payments', [], params, options),
  /**
   * Cancels a payment that is still `pending`. If it has any other status, the request is rejected with INVALID_STATUS.
   */
  cancel: (id: string, options?: RequestOptions) => one('DELETE /payments/:pmt_id', [id], {}, options),
  /** Retrieves a payment's double-entry ledger, and reports whether it agrees with the payment's status. */
  postings: (id: string, options?: RequestOptions) => one('GET /payments/:pmt_id/postings', [id], {}, options),
  /** Explains the payment's current state and the available actions. */
  explain: (id: string, options?: RequestOptions) => one('GET /payments/:pmt_id/explanation', [id], {}, options),
  /** Reversals, which return a payment's money. */
  reversals: {
    /** Lists all reversals of a payment, oldest first. */
    list: (payment: string, options?: RequestOptions) =>
      list('GET /payments/:pmt_id/reversals', [payment], {}, options),
    retrieve: (payment: string, id: string, options?: RequestOptions) =>
      one('GET /payments/:pmt_id/reversals/:rvs_id', [payment, id], {}, options),
    /**
     * Approves a reversal whose status is `pending_approval`. The service then returns the money. If the reversal has
     * any other status, the request is rejected with INVALID_REVERSAL_STATUS.
     */
    approve: (payment: string, id: string, params: { description?: string } = {}, options?: RequestOptions) =>
      one('PUT /payments/:pmt_id/reversals/:rvs_id', [payment, id], { ...params, status: 'pending' }, options),
  },
})

import type { Payment, PaymentStatus, Reversal } from '@causeway/contract/resources/payment'
import { at } from '../address.js'
import type { ListParams } from '../page.js'
import type { RequestOptions } from '../transport.js'
import type { ExpandParams, Verbs } from '../verbs.js'

export interface PaymentCreateParams {
  /** Cents, 100 to 100,000,000. */
  amount: number
  /** An active, verified ach account. */
  source: string
  destination: string
  /** At most 10 characters. */
  description: string
  fee?: { type: 'total' | 'markup'; amount: number }
  metadata?: Record<string, unknown>
  /** Checks everything and sends nothing. */
  dry_run?: boolean
}

export interface PaymentListParams extends ListParams, ExpandParams {
  status?: PaymentStatus
  type?: Payment['type']
  source?: string
  destination?: string
  /** Source or destination. */
  acc_id?: string
  source_holder_id?: string
  destination_holder_id?: string
  /** Holder of either side. */
  holder_id?: string
}

/** Money from one account to another. */
export const createPayments = (verbs: Verbs) => ({
  create: (params: PaymentCreateParams, options?: RequestOptions) => verbs.post<Payment>('/payments', params, options),
  retrieve: (id: string, params?: ExpandParams, options?: RequestOptions) =>
    verbs.get<Payment>(at`/payments/${id}`, params, options),
  list: (params?: PaymentListParams, options?: RequestOptions) => verbs.list<Payment>('/payments', params, options),
  /** Stops a payment that is still `pending`; anything else is INVALID_STATUS. */
  cancel: (id: string, options?: RequestOptions) => verbs.delete<Payment>(at`/payments/${id}`, options),
  /** Money on its way back. */
  reversals: {
    /** All of a payment's, in the order that they were made. */
    list: async (payment: string, options?: RequestOptions): Promise<Reversal[]> =>
      (await verbs.get<{ data: Reversal[] }>(at`/payments/${payment}/reversals`, undefined, options)).data,
    retrieve: (payment: string, id: string, options?: RequestOptions) =>
      verbs.get<Reversal>(at`/payments/${payment}/reversals/${id}`, undefined, options),
    /** Lets the money move back, while the reversal is `pending_approval`; anything else is INVALID_REVERSAL_STATUS. */
    approve: (payment: string, id: string, params: { description?: string } = {}, options?: RequestOptions) =>
      verbs.put<Reversal>(at`/payments/${payment}/reversals/${id}`, { ...params, status: 'pending' }, options),
  },
})

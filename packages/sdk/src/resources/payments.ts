import type { Payment, PaymentStatus } from '@causeway/contract/resources/payment'
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
})

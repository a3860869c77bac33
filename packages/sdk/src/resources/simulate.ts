import type { OpalSession } from '@causeway/contract/resources/opal'
import type { Payment, PaymentStatus } from '@causeway/contract/resources/payment'
import { at } from '../address.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

export interface Fault {
  target: 'network' | 'identity' | 'rail' | 'idempotency'
  mode: 'slow' | 'failing' | 'flapping'
  /** ISO 8601 duration, such as `PT30S`. */
  for: string
}

/** What a sandbox can be told. In production all of it is FORBIDDEN. */
export const createSimulate = (verbs: Verbs) => ({
  payments: {
    /** Moves a payment. A failed or reversed one needs the code of its error, such as 10001; `amount` is the part that came back. */
    update: (
      id: string,
      params: { status: PaymentStatus; error_code?: number; amount?: number },
      options?: RequestOptions,
    ) => verbs.post<Payment>(at`/simulate/payments/${id}`, params, options),
    /** Lets money come in through an open instrument of type `inbound_achwire_payment`. */
    receive: (instrument: string, params: { amount: number; description?: string }, options?: RequestOptions) =>
      verbs.post<Payment>(at`/simulate/payments/payment_instruments/${instrument}`, params, options),
  },
  clock: {
    /** Moves the team's sandbox clock forward by an ISO 8601 duration, such as `P3D`; what is due happens. */
    advance: (duration: string, options?: RequestOptions) =>
      verbs.post<unknown>('/simulate/clock', { advance: duration }, options),
  },
  faults: {
    /** Makes a part of the service misbehave for this team, to try your own handling. */
    create: (params: Fault, options?: RequestOptions) => verbs.post<unknown>('/simulate/faults', params, options),
  },
  opal: {
    /** Confirms allocations (cents by account) as the person would, under the same checks. */
    confirm: async (
      session: string,
      allocations: Record<string, number>,
      options?: RequestOptions,
    ): Promise<OpalSession> => {
      const path = at`/simulate/opal/sessions/${session}`
      return (await verbs.post<{ data: OpalSession }>(path, { allocations }, options)).data
    },
  },
})

import type { OpalSession } from '@causeway/contract/resources/opal'
import { at } from '../address.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'
import type { AccountFilters, BalanceTransferTerms } from './elements.js'
import type { Person } from './entities.js'

/** Whom the session is for: a known entity, a new one, or the session itself once more. */
type For =
  | { entity_id: string; entity?: never; session_id?: never }
  | { entity: { type: 'individual'; individual: Person }; entity_id?: never; session_id?: never }

export type OpalTokenParams = { allowed_origins?: string[]; appearance?: 'light' | 'dark' | 'system' } & (
  | ({ mode: 'balance_transfer'; balance_transfer: BalanceTransferTerms } & For)
  | ({
      mode: 'connect'
      connect: { selection_type?: 'single' | 'multiple' | 'all'; account_filters?: AccountFilters; skip_pii?: string[] }
    } & For)
  | { session_id: string; mode?: 'balance_transfer' | 'connect'; balance_transfer?: BalanceTransferTerms }
)

export interface OpalToken {
  /** `otkn_…`, one-time. */
  token: string
  session_id: string
  valid_until: string
}

/** The opal calls carry their answer in `data`. */
interface Enveloped<T> {
  success: boolean
  data: T
  message: string | null
}

/** Sessions that a person walks through, and what you do when they are through. */
export const createOpal = (verbs: Verbs) => ({
  token: {
    create: async (params: OpalTokenParams, options?: RequestOptions): Promise<OpalToken> =>
      (await verbs.post<Enveloped<OpalToken>>('/opal/token', params, options)).data,
  },
  sessions: {
    /** What the person confirmed, from the service itself: an event in a browser is no proof. */
    retrieve: async (id: string, options?: RequestOptions): Promise<OpalSession> =>
      (await verbs.get<Enveloped<OpalSession>>(at`/opal/sessions/${id}`, {}, options)).data,
    /**
     * Sends the money: one payment for each allocated account, from `source` or the team's default.
     * A session that was released is answered as it is, and nothing is sent again. A null in `bt.payment_ids` is a payment that
     * could not be made; `bt.payment_errors` says why.
     */
    release: async (id: string, params: { source?: string } = {}, options?: RequestOptions): Promise<OpalSession> => {
      const body = { action: 'release_payments', ...(params.source === undefined ? {} : { data: params }) }
      return (await verbs.post<Enveloped<OpalSession>>(at`/opal/sessions/${id}`, body, options)).data
    },
  },
})

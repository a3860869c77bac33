import type { Body } from '../endpoints.js'
import type { WithResponse } from '../last-response.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

type NewToken = Body<'POST /elements/token'>
/** The approved loan. All amounts are in cents. */
export type BalanceTransferTerms = NonNullable<NewToken['balance_transfer']>
type Display = Omit<NewToken, 'type' | 'connect' | 'balance_transfer' | 'entity_id' | 'entity' | 'session_id'>

export type ConnectTokenParams = Display &
  Pick<NewToken, 'connect' | 'entity_id' | 'entity' | 'session_id'> & { type: 'connect' }

/** A token for a new session or for the session in `session_id`. Terms sent with `session_id` are a counteroffer. */
export type BalanceTransferTokenParams = Display & { type: 'balance_transfer' } & (
    | { entity_id: string; entity?: never; session_id?: never; balance_transfer: BalanceTransferTerms }
    /** A person to create when the token is redeemed. */
    | {
        entity: NonNullable<NewToken['entity']>
        entity_id?: never
        session_id?: never
        balance_transfer: BalanceTransferTerms
      }
    | { session_id: string; entity_id?: never; entity?: never; balance_transfer?: BalanceTransferTerms }
  )

/**
 * One-time tokens, valid for 30 minutes, that open an element in a page. With `redirect_url`, `create` returns a link
 * to a hosted page.
 */
export const createElements = ({ one, data }: Verbs) => {
  function create(
    params: BalanceTransferTokenParams,
    options?: RequestOptions,
  ): Promise<WithResponse<{ element_token: string; session_id: string; hosted_url?: string }>>
  function create(
    params: ConnectTokenParams,
    options?: RequestOptions,
  ): Promise<WithResponse<{ element_token: string; hosted_url?: string }>>
  function create(params: NewToken, options?: RequestOptions) {
    return one('POST /elements/token', [], params, options)
  }
  return {
    token: {
      create,
      /**
       * Retrieves a token's results. Accepts the token or its handle, but sends only the handle, because URLs can end
       * up in logs.
       */
      results: (token: string, options?: RequestOptions) =>
        one('GET /elements/token/:token/results', [handle(token)], {}, options),
    },
    sessions: {
      retrieve: (id: string, options?: RequestOptions) => data('GET /elements/sessions/:id', [id], {}, options),
    },
  }
}

const handle = (token: string): string => /^(?:pk_elem_|otkn_)([0-9A-Za-z]{16})/.exec(token)?.[1] ?? token

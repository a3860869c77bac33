import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

export type OpalTokenParams = Body<'POST /opal/token'>
export type OpalSessionListParams = Query<'GET /opal/sessions'>

/** Sessions that a person walks through, and what you do when they are through. */
export const createOpal = ({ data, list, as }: Verbs) => ({
  token: {
    create: (params: OpalTokenParams, options?: RequestOptions) => data('POST /opal/token', [], params, options),
    /** The session of a token, as its holder may see it. */
    retrieve: (token: string, options?: RequestOptions) => as(token).data('GET /opal/token', [], {}, options),
    /** Ends a token. */
    delete: (token: string, options?: RequestOptions) => as(token).data('DELETE /opal/token', [], {}, options),
  },
  events: {
    /** The steps of a token's session, whole. */
    list: (token: string, options?: RequestOptions) => as(token).data('GET /opal/events', [], {}, options),
  },
  sessions: {
    list: (params?: OpalSessionListParams, options?: RequestOptions) => list('GET /opal/sessions', [], params, options),
    /** What the person confirmed, from the service itself: an event in a browser is no proof. */
    retrieve: (id: string, options?: RequestOptions) => data('GET /opal/sessions/:id', [id], {}, options),
    /**
     * Sends the money: one payment for each allocated account, from `source` or the team's default.
     * A session that was released is answered as it is, and nothing is sent again. A null in `bt.payment_ids` is a payment that
     * could not be made; `bt.payment_errors` says why.
     */
    release: (id: string, params: { source?: string } = {}, options?: RequestOptions) =>
      data(
        'POST /opal/sessions/:id',
        [id],
        { action: 'release_payments', ...(params.source === undefined ? {} : { data: params }) },
        options,
      ),
  },
})

import type { Body } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

export type ForwardingRequestCreateParams = Body<'POST /forwarding_requests'>

/** Requests that the service forwards, with secrets that your server never sees. */
export const createForwardingRequests = ({ one }: Verbs) => ({
  /** Sends the request at most once, even if you retry. */
  create: (params: ForwardingRequestCreateParams, options?: RequestOptions) =>
    one('POST /forwarding_requests', [], params, options),
  retrieve: (id: string, options?: RequestOptions) => one('GET /forwarding_requests/:freq_id', [id], {}, options),
})

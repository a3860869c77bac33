/** Sends signed requests to a webhook's endpoint. */
import { OutboundError } from '../../platform/outbound/outbound.js'
import { type Scope, sealer } from '../../platform/scope.js'
import { excerptOf } from './request.js'
import type { WebhookRow } from './show.js'
import { signatureHeaders } from './sign.js'
import { DELIVERY_TIMEOUT_MS, MAX_RESPONSE_BYTES, type Outcome, readRetryAfter } from './webhook.js'

/** A request that was sent. */
export interface SentRequest {
  outcome: Outcome
  /** The real time at which the request was signed. */
  sentAt: number
  /** The beginning of the response, if the webhook stores responses. */
  excerpt: string | null
}

/** Signs and sends a request once. @param id the `webhook-id` header */
export async function sendRequest(
  scope: Scope,
  webhook: WebhookRow,
  { id, body }: { id: string; body: string },
): Promise<SentRequest> {
  const { open } = sealer(scope)
  const at = scope.deps.clock()
  const openSecret = (field: 'hmac_secret' | 'previous_secret' | 'auth_token') => {
    const sealed = webhook[field]
    return sealed === null ? null : open({ id: webhook.id, field }, sealed)
  }
  const previous = webhook.previous_until !== null && webhook.previous_until > at ? openSecret('previous_secret') : null
  const secrets = [openSecret('hmac_secret'), previous].filter(secret => secret !== null)
  const peer = webhook.peer_headers === 1
  try {
    const answer = await scope.deps.outbound.call({
      method: 'POST',
      url: webhook.url,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Causeway-Webhooks/1',
        ...signatureHeaders({ id, at, body, secrets, token: openSecret('auth_token'), peer }),
      },
      body,
      timeout: DELIVERY_TIMEOUT_MS,
      limit: MAX_RESPONSE_BYTES,
    })
    return {
      outcome: { status: answer.status, retryAfter: readRetryAfter(answer.header('Retry-After'), at) },
      sentAt: at,
      excerpt: webhook.store_responses === 1 ? excerptOf(answer.body) : null,
    }
  } catch (error) {
    if (error instanceof OutboundError) return { outcome: { fault: error.fault }, sentAt: at, excerpt: null }
    throw error
  }
}

/** Sends a test request to a webhook's endpoint, so that its owner can try the address and the signature. */
import { createId } from '../../platform/crypto/random.js'
import type { Scope } from '../../platform/scope.js'
import { sendRequest } from './send.js'
import type { WebhookRow } from './show.js'
import { actionOf, faultOf, isDelivered } from './webhook.js'

/** A value of the body's `id` and `event`, which name no resource in a test. */
const TEST_ID = 'test'

/** Sends the request once, and stores nothing. @returns the outcome as the API shows it */
export async function sendTest(scope: Scope, webhook: WebhookRow) {
  const { type } = webhook
  const request = {
    id: createId('delivery', scope.now),
    body: JSON.stringify({
      webhook_id: webhook.id,
      id: TEST_ID,
      type,
      op: actionOf(type),
      event: TEST_ID,
      refs: null,
      test: true,
    }),
  }
  const startedAt = performance.now()
  const { outcome } = await sendRequest(scope, webhook, request)
  return {
    webhook_id: webhook.id,
    delivered: isDelivered(outcome),
    response_status: 'status' in outcome ? outcome.status : null,
    failure: faultOf(outcome),
    ms: Math.round(performance.now() - startedAt),
  }
}

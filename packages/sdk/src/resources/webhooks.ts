import type { EventType } from '@causeway/contract/events'
import type { Delivery, Webhook } from '@causeway/contract/resources/webhook'
import { at } from '../address.js'
import type { ListParams } from '../page.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

export interface WebhookCreateParams {
  type: EventType | (string & {})
  url: string
  /** Sent back with each delivery; never returned. */
  auth_token?: string
  /** Signs each delivery; never returned. */
  hmac_secret?: string
  /** Whether a delivery holds the event itself and not only its id. */
  expand_event?: boolean
  metadata?: Record<string, unknown>
}

export interface DeliveryListParams extends ListParams {
  status?: Delivery['status']
}

/** Addresses that hear of events, one event type each. */
export const createWebhooks = (verbs: Verbs) => ({
  create: (params: WebhookCreateParams, options?: RequestOptions) => verbs.post<Webhook>('/webhooks', params, options),
  retrieve: (id: string, options?: RequestOptions) => verbs.get<Webhook>(at`/webhooks/${id}`, {}, options),
  list: (options?: RequestOptions) => verbs.list<Webhook>('/webhooks', {}, options),
  update: (id: string, params: { status: 'active' | 'disabled' }, options?: RequestOptions) =>
    verbs.patch<Webhook>(at`/webhooks/${id}`, params, options),
  delete: async (id: string, options?: RequestOptions): Promise<void> => {
    await verbs.delete(at`/webhooks/${id}`, options)
  },
  /** Changes the secret, the token, or both. For 24 hours deliveries are signed with the old secret too. */
  rotate: (id: string, params: { hmac_secret?: string; auth_token?: string }, options?: RequestOptions) =>
    verbs.post<Webhook>(at`/webhooks/${id}/rotate`, params, options),
  /** Sends everything again that has not arrived since a time, such as `2026-03-02T00:00:00.000Z`. */
  redeliver: (id: string, params: { since: string }, options?: RequestOptions) =>
    verbs.post<{ webhook_id: string; since: string; queued: number }>(at`/webhooks/${id}/redeliver`, params, options),
  /** What was sent to a webhook, and what came of it. */
  deliveries: {
    list: (id: string, params?: DeliveryListParams, options?: RequestOptions) =>
      verbs.list<Delivery>(at`/webhooks/${id}/deliveries`, params, options),
    retrieve: (id: string, delivery: string, options?: RequestOptions) =>
      verbs.get<Delivery>(at`/webhooks/${id}/deliveries/${delivery}`, {}, options),
    redeliver: (id: string, delivery: string, options?: RequestOptions) =>
      verbs.post<Delivery>(at`/webhooks/${id}/deliveries/${delivery}/redeliver`, {}, options),
  },
})

import type { EventType } from '@causeway/contract/events'
import type { Webhook } from '@causeway/contract/resources/webhook'
import { at } from '../address.js'
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
})

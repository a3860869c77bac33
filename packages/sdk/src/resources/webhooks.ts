import { VERSION } from '../contract.gen.js'
import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

export type WebhookCreateParams = Body<'POST /webhooks'>
export type WebhookListParams = Query<'GET /webhooks'>
export type EventListParams = Query<'GET /events'>

const BASE = '/webhooks/:whk_id'

/** Webhook endpoints, each of which receives events of a single type. */
export const createWebhooks = ({ one, data, list }: Verbs) => ({
  /** Creates a webhook. The webhook's events use the API version of the SDK's types, not the team's version. */
  create: (params: WebhookCreateParams, options?: RequestOptions) =>
    one('POST /webhooks', [], { api_version: VERSION, ...params }, options),
  retrieve: (id: string, options?: RequestOptions) => one(`GET ${BASE}`, [id], {}, options),
  list: (params?: WebhookListParams, options?: RequestOptions) => list('GET /webhooks', [], params, options),
  update: (id: string, params: Body<`PATCH ${typeof BASE}`>, options?: RequestOptions) =>
    one(`PATCH ${BASE}`, [id], params, options),
  delete: (id: string, options?: RequestOptions) => data(`DELETE ${BASE}`, [id], {}, options),
  /** Rotates the secret or the token. For 24 hours, deliveries are also signed with the old secret. */
  rotate: (id: string, params: Body<`POST ${typeof BASE}/rotate`>, options?: RequestOptions) =>
    one(`POST ${BASE}/rotate`, [id], params, options),
  /** Sends a signed test request and returns the endpoint's response status. */
  test: (id: string, options?: RequestOptions) => one(`POST ${BASE}/test`, [id], {}, options),
  /** Retries the delivery of all undelivered events since a given time. */
  redeliver: (id: string, params: Body<`POST ${typeof BASE}/redeliver`>, options?: RequestOptions) =>
    one(`POST ${BASE}/redeliver`, [id], params, options),
  /** Deliveries by hour or day, and how close the webhook is to being disabled. */
  stats: (id: string, params?: Query<`GET ${typeof BASE}/stats`>, options?: RequestOptions) =>
    one(`GET ${BASE}/stats`, [id], params ?? {}, options),
  /** Deliveries and their outcomes. */
  deliveries: {
    retrieve: (webhook: string, id: string, options?: RequestOptions) =>
      one(`GET ${BASE}/deliveries/:dlv_id`, [webhook, id], {}, options),
    list: (webhook: string, params?: Query<`GET ${typeof BASE}/deliveries`>, options?: RequestOptions) =>
      list(`GET ${BASE}/deliveries`, [webhook], params, options),
    /** Retrieves a delivery's body and the headers of its last attempt. */
    request: (webhook: string, id: string, options?: RequestOptions) =>
      one(`GET ${BASE}/deliveries/:dlv_id/request`, [webhook, id], {}, options),
    attempts: (webhook: string, id: string, options?: RequestOptions) =>
      list(`GET ${BASE}/deliveries/:dlv_id/attempts`, [webhook, id], {}, options),
    redeliver: (webhook: string, id: string, options?: RequestOptions) =>
      one(`POST ${BASE}/deliveries/:dlv_id/redeliver`, [webhook, id], {}, options),
  },
})

/** The deliveries of all webhooks, newest first. */
export const createDeliveries = ({ one, list }: Verbs) => ({
  list: (params?: Query<'GET /deliveries'>, options?: RequestOptions) => list('GET /deliveries', [], params, options),
  /** Sends several deliveries again. Returns which of them are queued. */
  redeliver: (params: Body<'POST /deliveries/redeliver'>, options?: RequestOptions) =>
    one('POST /deliveries/redeliver', [], params, options),
})

/** All events, newest first. */
export const createEvents = ({ one, list }: Verbs) => ({
  retrieve: (id: string, options?: RequestOptions) => one('GET /events/:evt_id', [id], {}, options),
  list: (params?: EventListParams, options?: RequestOptions) => list('GET /events', [], params, options),
})

import type { Tables } from '../db/tables.js'
import { showJson, showTime } from '../show.js'

export type WebhookRow = Tables['webhooks']

/** A webhook as it travels: without its token and its secret. */
export function showWebhook(row: WebhookRow): Record<string, unknown> {
  return {
    id: row.id,
    type: row.type,
    url: row.url,
    metadata: showJson(row.metadata),
    expand_event: row.expand_event === 1,
    status: row.status,
    error: showJson(row.error),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

import { isVersion, type Version } from '@causeway/contract/versions'
import { readJson } from '../../platform/db/json.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'

export type WebhookRow = Tables['webhooks']

/** Returns the API version used for a webhook's payloads. */
export const versionOf = ({ team }: Scope, { api_version }: Pick<WebhookRow, 'api_version'>): Version =>
  api_version !== null && isVersion(api_version) ? api_version : team.version

/** Returns a webhook without its token and secret. */
export function showWebhook(row: WebhookRow): Record<string, unknown> & { id: string } {
  return {
    id: row.id,
    type: row.type,
    url: row.url,
    metadata: readJson('webhooks.metadata', row.metadata),
    expand_event: row.expand_event === 1,
    api_version: row.api_version,
    store_responses: row.store_responses === 1,
    weak_secret: row.weak_secret === 1,
    status: row.status,
    error: readJson('webhooks.error', row.error),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

import { readJson } from '../platform/db/json.js'
import type { Scope } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import { type ForwardingRow, openRequest, openResponse } from './store.js'

/** Returns a forwarding request in its API format. */
export function showForwarding(scope: Scope, row: ForwardingRow): Record<string, unknown> & { id: string } {
  const { bindings, url, method, headers, body } = openRequest(scope, row)
  const begun = { status: 'processing', timestamp: showTime(row.created_at) }
  return {
    id: row.id,
    bindings,
    request: { url, method, headers, body },
    response: openResponse(scope, row),
    duration_ms: row.duration_ms,
    status: row.status,
    status_history:
      row.status === 'processing' ? [begun] : [begun, { status: row.status, timestamp: showTime(row.updated_at) }],
    metadata: readJson('forwarding_requests.metadata', row.metadata),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

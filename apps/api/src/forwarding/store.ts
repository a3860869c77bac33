import { jsonColumn } from '../platform/db/json-column.js'
import type { Tables } from '../platform/db/tables.js'
import { findRow } from '../platform/rows.js'
import { type Scope, sealer } from '../platform/scope.js'
import type { ForwardingRequest } from './forwarding.js'

export type ForwardingRow = Tables['forwarding_requests']

export interface StoredResponse {
  status_code: number | null
  headers: Record<string, string>
  body: unknown
}

/** The content of the sealed columns. */
export const forwardingJson = {
  request: jsonColumn<ForwardingRequest>('forwarding_requests.request'),
  response: jsonColumn<StoredResponse>('forwarding_requests.response'),
}

export const findForwarding = (scope: Scope, id: string): Promise<ForwardingRow | undefined> =>
  findRow(scope, 'forwarding_requests', id)

export const openRequest = (scope: Scope, row: ForwardingRow): ForwardingRequest =>
  forwardingJson.request.read(sealer(scope).open({ id: row.id, field: 'request' }, row.request))

export function openResponse(scope: Scope, row: ForwardingRow): StoredResponse {
  if (row.response === null) return { status_code: null, headers: {}, body: null }
  return forwardingJson.response.read(sealer(scope).open({ id: row.id, field: 'response' }, row.response))
}

/**
 * Claims a request, so that only this caller can send it.
 * @returns true if this call claimed the request
 */
export async function claimSending(scope: Scope, id: string): Promise<boolean> {
  const row = await scope.deps.store.write(tx =>
    tx
      .updateTable('forwarding_requests')
      .set({ sent_at: scope.deps.clock() })
      .where('team_id', '=', scope.team.id)
      .where('id', '=', id)
      .where('sent_at', 'is', null)
      .returning('id')
      .executeTakeFirst(),
  )
  return row !== undefined
}

export type Outcome =
  | { fault: Exclude<ForwardingRow['fault'], null>; duration: number | null }
  | { response: StoredResponse; duration: number }

/** Stores a request's outcome, unless one is already stored. */
export async function storeOutcome(scope: Scope, id: string, ending: Outcome): Promise<void> {
  const answered = 'response' in ending
  await scope.db
    .updateTable('forwarding_requests')
    .set({
      status: answered ? 'completed' : 'failed',
      response: answered
        ? sealer(scope).seal({ id, field: 'response' }, forwardingJson.response.write(ending.response))
        : null,
      fault: answered ? null : ending.fault,
      duration_ms: ending.duration,
      updated_at: scope.now,
    })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute()
}

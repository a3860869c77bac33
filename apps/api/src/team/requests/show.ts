import { readJson } from '../../platform/db/json.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Tables } from '../../platform/db/tables.js'
import { type Scope, sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'

export type RequestRow = Tables['requests']

/** The contents of the sealed columns. `bodies` maps each request id to the request's two bodies. */
const requestJson = {
  request: jsonColumn<unknown>('requests.request'),
  response: jsonColumn<unknown>('requests.response'),
  bodies: jsonColumn<Readonly<Record<string, [unknown, unknown]>>>('request_bodies.sealed'),
}

export const showRequest = (row: RequestRow) => ({
  id: row.id,
  method: row.method,
  route: row.route,
  status: row.status,
  sub_type: row.sub_type,
  ms: row.ms,
  version: row.version,
  actor: row.actor,
  source: row.source,
  idempotency: row.idempotency,
  resource_ids: readJson('requests.resource_ids', row.resource_ids),
  created_at: showTime(row.created_at),
})

/** Shows a request with its bodies. @param sealed the sealed bodies to which the request refers, if they still exist */
export function showRequestDetail(scope: Scope, row: RequestRow, sealed: string | undefined) {
  const { open, unpack } = sealer(scope)
  const inRow = (field: 'request' | 'response'): unknown =>
    row[field] === null ? null : requestJson[field].read(open({ id: row.id, field }, row[field]))
  if (row.bodies_id === null) return { ...showRequest(row), request: inRow('request'), response: inRow('response') }
  const bodies =
    sealed === undefined ? {} : requestJson.bodies.read(unpack({ id: row.bodies_id, field: 'bodies' }, sealed))
  const [request, response] = bodies[row.id] ?? [null, null]
  return { ...showRequest(row), request, response }
}

import { findRecords } from '../people/records/store.js'
import { lockRows } from '../platform/db/row-locks.js'
import { scrubAnswers } from '../platform/http/pipeline/idempotency.js'
import { type Scope, sealer } from '../platform/scope.js'
import type { ForwardingRequest } from './forwarding.js'
import { showForwarding } from './show.js'
import { type ForwardingRow, forwardingJson, openRequest } from './store.js'

/**
 * Records the holders whose data a forwarding request contains, so that the service can find the request if a holder
 * withdraws consent.
 */
export async function linkHolders(
  scope: Scope,
  id: string,
  { bindings }: Pick<ForwardingRequest, 'bindings'>,
): Promise<void> {
  const records = await findRecords(scope, [...new Set(Object.values(bindings))])
  const holders = new Set([...records.values()].map(({ holder_id }) => holder_id))
  if (holders.size === 0) return
  await scope.db
    .insertInto('forwarding_holders')
    .values([...holders].map(holder_id => ({ team_id: scope.team.id, holder_id, request_id: id })))
    .execute()
}

/**
 * Links the team's requests from earlier releases to the holders whose data they contain. Links each request only once.
 */
async function linkEarlier(scope: Scope): Promise<void> {
  const rows = await scope.db
    .selectFrom('forwarding_requests')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('linked', '=', 0)
    .orderBy('id')
    .execute()
  for (const row of rows) {
    const claimed = await scope.db
      .updateTable('forwarding_requests')
      .set({ linked: 1 })
      .where('team_id', '=', scope.team.id)
      .where('id', '=', row.id)
      .where('linked', '=', 0)
      .returning('id')
      .executeTakeFirst()
    if (claimed) await linkHolders(scope, row.id, openRequest(scope, row))
  }
}

/**
 * Returns only the method, the destination's origin and the bindings of a request that contained a withdrawn account's
 * values.
 */
function erasedRequest(scope: Scope, row: ForwardingRow): string {
  const { url, method, bindings } = openRequest(scope, row)
  const request: ForwardingRequest = { url: new URL(url).origin, method, headers: {}, body: '', bindings }
  return sealer(scope).seal({ id: row.id, field: 'request' }, forwardingJson.request.write(request))
}

/**
 * Erases the content of forwarding requests that contained an account's values, because the content may name the
 * holder. A request in progress is marked as failed, so that its response is not stored.
 */
export async function scrubForwarding(scope: Scope, holder: string): Promise<void> {
  await linkEarlier(scope)
  const query = scope.db
    .selectFrom('forwarding_requests')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', from =>
      from
        .selectFrom('forwarding_holders')
        .select('request_id')
        .where('team_id', '=', scope.team.id)
        .where('holder_id', '=', holder),
    )
    .orderBy('id')
  for (const row of await lockRows(scope.db, query).execute()) {
    const sent = row.status === 'processing' ? ({ status: 'failed', fault: 'unknown' } as const) : {}
    const saved = await scope.db
      .updateTable('forwarding_requests')
      .set({ request: erasedRequest(scope, row), response: null, metadata: null, updated_at: scope.now, ...sent })
      .where('team_id', '=', scope.team.id)
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await scrubAnswers(scope, row.id, showForwarding(scope, saved))
  }
}

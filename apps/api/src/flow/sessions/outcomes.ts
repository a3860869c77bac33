import { isLost, outcomeOf } from '@causeway/contract/outcome'
import { readJson } from '../../platform/db/json.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'
import { readAllocations, type SessionRow, sessionJson } from './session.js'

/**
 * Returns the status of each account's payment. If the release could not pay an account, or its payment failed later,
 * the customer can pay the account with `POST /payments`. That payment counts if it has the same amount and the
 * `session_id` in its metadata.
 */
export async function paymentStatuses(scope: Scope, session: SessionRow): Promise<Record<string, string | null>> {
  const ids = sessionJson.payment_ids.read(session.payment_ids)
  if (session.released_at === null || Object.keys(ids).length === 0) return {}
  const allocations = readAllocations(session)
  const rows = await scope.db
    .selectFrom('payments')
    .select(['id', 'destination', 'amount', 'status', 'metadata'])
    .where('team_id', '=', scope.team.id)
    .where('destination', 'in', Object.keys(ids))
    .where('created_at', '>=', session.released_at)
    .orderBy('id')
    .execute()
  const isOf = (row: (typeof rows)[number], account: string) =>
    row.id === ids[account] ||
    (row.destination === account && row.amount === allocations[account] && namesSession(row.metadata, session.id))
  return Object.fromEntries(
    Object.keys(ids).map(account => {
      const made = rows.filter(row => isOf(row, account))
      const last = made.filter(row => !isLost(outcomeOf(row.status))).at(-1) ?? made.at(-1)
      return [account, last?.status ?? null]
    }),
  )
}

const namesSession = (metadata: Tables['payments']['metadata'], session: string): boolean =>
  readJson('payments.metadata', metadata)?.['session_id'] === session

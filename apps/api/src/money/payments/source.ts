import { type ResourceErrorCode, resourceCodes } from '@causeway/contract/errors'
import type { AccountRow } from '../../people/accounts/account.js'
import { readJson } from '../../platform/db/json.js'
import type { Scope } from '../../platform/scope.js'

/** Disables an account or its holder because a payment was not authorized, or can no longer be. */
const UNAUTHORIZED: readonly ResourceErrorCode[] = [
  resourceCodes.ACCOUNT_UNAUTHORIZED_PAYMENT,
  resourceCodes.ACCOUNT_DISABLED_HOLDER_ENTITY_DISABLED,
]

/** Why nothing may be taken from a payment's source any more; null while it may. */
export function stopOf(account: AccountRow): ResourceErrorCode | null {
  if (account.status !== 'disabled' && account.status !== 'closed') return null
  const code = readJson(account.error)?.code
  return code !== undefined && UNAUTHORIZED.includes(code)
    ? resourceCodes.PAYMENT_UNAUTHORIZED_SOURCE
    : resourceCodes.PAYMENT_INVALID_SOURCE_ACCOUNT
}

/** Has the payments looked at that were to be taken from an account which is stopped now. */
export async function lookAtPayments(scope: Scope, source: string): Promise<void> {
  const rows = await scope.db
    .selectFrom('payments')
    .select('id')
    .where('team_id', '=', scope.team.id)
    .where('source', '=', source)
    .where('status', '=', 'pending')
    .execute()
  for (const { id } of rows) await scope.deps.jobs.enqueue(scope, { kind: 'payment.look', payload: { payment: id } })
}

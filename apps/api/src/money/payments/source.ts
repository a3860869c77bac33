import { type ResourceErrorCode, resourceCodes } from '@causeway/contract/errors'
import type { AccountRow } from '../../people/holders/account.js'
import { readJson } from '../../platform/db/json.js'
import { enqueueLook } from '../../platform/jobs/enqueue-look.js'
import type { Scope } from '../../platform/scope.js'

/**
 * Error codes of accounts that were disabled because a payment was not authorized or because their holder was disabled.
 */
const UNAUTHORIZED_CODES: readonly ResourceErrorCode[] = [
  resourceCodes.ACCOUNT_UNAUTHORIZED_PAYMENT,
  resourceCodes.ACCOUNT_DISABLED_HOLDER_ENTITY_DISABLED,
]

/** Returns the reason that a payment's source may no longer be debited, or null if it may still be debited. */
export function sourceErrorCode(account: Pick<AccountRow, 'status' | 'error'>): ResourceErrorCode | null {
  if (account.status !== 'disabled' && account.status !== 'closed') return null
  const code = readJson('accounts.error', account.error)?.code
  return code !== undefined && UNAUTHORIZED_CODES.includes(code)
    ? resourceCodes.PAYMENT_UNAUTHORIZED_SOURCE
    : resourceCodes.PAYMENT_INVALID_SOURCE_ACCOUNT
}

/** Enqueues a check of the pending payments from an account that was disabled or closed. */
export async function enqueuePaymentChecks(scope: Scope, source: string): Promise<void> {
  const rows = await scope.db
    .selectFrom('payments')
    .select('id')
    .where('team_id', '=', scope.team.id)
    .where('source', '=', source)
    .where('status', '=', 'pending')
    .execute()
  for (const { id } of rows) await enqueueLook(scope, 'payment.look', ['payment', id])
}

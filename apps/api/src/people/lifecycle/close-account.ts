import { emit } from '../../notify/emit.js'
import type { Scope } from '../../platform/scope.js'
import { updateAccount } from '../accounts/change.js'
import { type AccountRow, isShared } from '../holders/account.js'
import { showAccount } from '../holders/show-account.js'
import { lockAccount, lockAnyAccount } from '../holders/store.js'
import { findLatestIds } from '../records/store.js'
import { activeSubscriptions, unenroll } from '../subscriptions/store.js'

/**
 * Moves an account to a status in which it is no longer monitored or debited. Ends its subscriptions, and enqueues a
 * check of its pending payments.
 */
export async function stopAccount(scope: Scope, before: AccountRow, change: Partial<AccountRow>): Promise<AccountRow> {
  const account = await updateAccount(scope, before, change)
  for (const row of await activeSubscriptions(scope, before.id))
    await unenroll(scope, (await lockAccount(scope, before.id))!, row)
  await scope.deps.enqueuePaymentChecks(scope, before.id)
  return account
}

/**
 * Marks an account as closed because its institution closed it. A closed account can no longer be paid or monitored,
 * but its history remains.
 */
export async function closeAccount(scope: Scope, id: string): Promise<void> {
  const before = await lockAnyAccount(scope, id)
  if (before?.status !== 'active') return
  const account = await stopAccount(scope, before, { status: 'closed' })
  if (!isShared(account)) return
  const current = (await lockAccount(scope, id))!
  const latest = (await findLatestIds(scope, [id])).get(id) ?? {}
  await emit(scope, 'account.closed', showAccount(scope, current, latest), showAccount(scope, account, latest))
}

import { emit } from '../../notify/events/store.js'
import type { Scope } from '../../platform/scope.js'
import { pointers } from '../products/store.js'
import { activeSubscriptions, unenroll } from '../subscriptions/store.js'
import type { AccountRow } from './account.js'
import { updateAccount } from './change.js'
import { showAccount } from './show.js'
import { lockAccount } from './store.js'

/**
 * Moves an account to a status in which it is no longer monitored or debited. Ends its subscriptions, and enqueues a
 * check of its pending payments.
 */
export async function stopAccount(scope: Scope, before: AccountRow, change: Partial<AccountRow>): Promise<AccountRow> {
  const stopped = await updateAccount(scope, before, change)
  for (const row of await activeSubscriptions(scope, before.id))
    await unenroll(scope, (await lockAccount(scope, before.id))!, row)
  await scope.deps.lookAtPayments(scope, before.id)
  return stopped
}

/**
 * Marks an account as closed because its institution closed it. A closed account can no longer be paid or monitored,
 * but its history remains.
 */
export async function closeAccount(scope: Scope, id: string): Promise<void> {
  const before = await lockAccount(scope, id)
  if (before?.status !== 'active') return
  const closed = await stopAccount(scope, before, { status: 'closed' })
  const now = (await lockAccount(scope, id))!
  const latest = (await pointers(scope, [id])).get(id) ?? {}
  await emit(scope, 'account.closed', showAccount(scope, now, latest), showAccount(scope, closed, latest))
}

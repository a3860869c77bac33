import { emit } from '../events/store.js'
import { pointers } from '../products/store.js'
import type { Scope } from '../scope.js'
import { activeSubscriptions, unenroll } from '../subscriptions/store.js'
import { updateAccount } from './change.js'
import { showAccount } from './show.js'
import { lockAccount } from './store.js'

/** Notes that the institution closed an account: nothing is paid to it or watched any more, and its history stays. */
export async function closeAccount(scope: Scope, id: string): Promise<void> {
  const before = await lockAccount(scope, id)
  if (before?.status !== 'active') return
  const closed = await updateAccount(scope, before, { status: 'closed' })
  for (const row of await activeSubscriptions(scope, id)) await unenroll(scope, (await lockAccount(scope, id))!, row)
  const now = (await lockAccount(scope, id))!
  const latest = (await pointers(scope, [id])).get(id) ?? {}
  await emit(scope, 'account.closed', showAccount(scope, now, latest), showAccount(scope, closed, latest))
}

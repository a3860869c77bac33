import type { AccountRow } from '../accounts/account.js'
import { showAccount } from '../accounts/show.js'
import { lockAccount } from '../accounts/store.js'
import { emit } from '../events/store.js'
import type { Scope } from '../scope.js'
import { enroll } from '../subscriptions/store.js'
import { enrolmentOf } from '../subscriptions/subscription.js'
import { enrollable, readNames } from './rules.js'
import { runProducts } from './run.js'
import { createRecord, pointers } from './store.js'
import { update } from './update.js'

/**
 * What follows from an account that a connection found: a snapshot, a direct update where its institution gives one, and
 * what was asked to be run and enrolled, as far as the account has it. `opened`: it is new since an earlier connection.
 */
export async function newAccount(
  scope: Scope,
  account: AccountRow,
  asked: { products: readonly string[]; subscriptions: readonly string[]; opened: boolean },
): Promise<void> {
  if (account.status === 'active') {
    const direct = readNames(account.supports).includes('update')
    await createRecord(scope, update, account, { source: 'snapshot' })
    if (direct) await createRecord(scope, update, account, { source: 'direct' })
    await runProducts(
      scope,
      account,
      asked.products.filter(name => name !== 'update'),
    )
  }
  for (const name of asked.subscriptions) {
    const enrolment = enrolmentOf(scope.deps.offers, 'account', name)
    const fresh = enrolment && (await lockAccount(scope, account.id))
    if (fresh && enrollable(enrolment.offer, enrolment.wanted as never, scope.team, fresh).status === 'available')
      await enroll(scope, fresh, enrolment, null)
  }
  if (!asked.opened) return
  const latest = (await pointers(scope, [account.id])).get(account.id) ?? {}
  await emit(scope, 'account.opened', showAccount(scope, (await lockAccount(scope, account.id))!, latest))
}

import { emit } from '../../notify/emit.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Scope } from '../../platform/scope.js'
import { emitNewAccount } from '../accounts/change.js'
import type { AccountRow } from '../holders/account.js'
import { productOf, subscriptionAvailability, supportsOf } from '../holders/product-rules.js'
import { showAccount } from '../holders/show-account.js'
import { lockAccount } from '../holders/store.js'
import { createRecord, findAnyRecord, findLatestIds } from '../records/store.js'
import { enroll } from '../subscriptions/store.js'
import { enrolmentOf } from '../subscriptions/subscription.js'
import { runProducts } from './run-products.js'

/** The products to run, and the subscriptions to start, for each account that a connect finds. */
export interface ConnectRequest {
  products?: string[]
  subscriptions?: string[]
}

export const connectRequest = jsonColumn<ConnectRequest>('records.request')

/**
 * Starts the work for an account that a connect found: a snapshot (even if the account is closed), a direct update if
 * the institution supports it, and the requested products and subscriptions that the account can have. `opened` is true
 * if the account was opened after an earlier connect.
 */
export async function startAccount(
  scope: Scope,
  account: AccountRow,
  requested: { products: readonly string[]; subscriptions: readonly string[]; opened: boolean },
): Promise<void> {
  const update = productOf(scope.deps.offers, { product: 'update', holder_id: account.id })!
  const isServed = scope.deps.capabilities.missing('account_product', update.name) === null
  if (isServed) await createRecord(scope, update, account, { source: 'snapshot' })
  const direct = account.status === 'active' && supportsOf(account).includes('update')
  if (isServed && direct) await createRecord(scope, update, account, { source: 'direct' })
  await runProducts(
    scope,
    account,
    requested.products.filter(name => name !== 'update'),
  )
  for (const name of requested.subscriptions) {
    const enrolment = enrolmentOf(scope.deps.offers, 'account', name)
    const locked = enrolment && (await lockAccount(scope, account.id))
    if (
      locked &&
      subscriptionAvailability(scope, enrolment.offer, enrolment.subscription, locked).status === 'available'
    )
      await enroll(scope, locked, enrolment, null)
  }
  if (!requested.opened) return
  const latest = (await findLatestIds(scope, [account.id])).get(account.id) ?? {}
  await emit(scope, 'account.opened', showAccount(scope, (await lockAccount(scope, account.id))!, latest))
}

/**
 * Returns true if a newly found account may be one for which the holder withdrew consent earlier. The service can't be
 * certain, because it stores nothing that identifies a withdrawn account.
 */
export async function mayBeWithdrawn(scope: Scope, holder: string): Promise<boolean> {
  const row = await scope.db
    .selectFrom('accounts')
    .select('id')
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder)
    .where('withdrawn_at', '>=', query =>
      query
        .selectFrom('records')
        .select(({ fn }) => fn.min<number>('created_at').as('at'))
        .where('team_id', '=', scope.team.id)
        .where('holder_id', '=', holder)
        .where('product', '=', 'connect')
        .where('status', '=', 'completed')
        .where('data', 'is not', null),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Approves the accounts in `ids` that are awaiting consent: emits their events, and starts the products and
 * subscriptions requested by the connect that found them.
 * @returns the number of approved accounts
 */
export async function approveAccounts(scope: Scope, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const pending = await scope.db
    .selectFrom('accounts')
    .select(['id', 'awaits_consent'])
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', ids)
    .where('awaits_consent', 'is not', null)
    .where('withdrawn_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id, awaits_consent } of pending) {
    const row = await scope.db
      .updateTable('accounts')
      .set({ awaits_consent: null, updated_at: scope.now })
      .where('team_id', '=', scope.team.id)
      .where('id', '=', id)
      .where('awaits_consent', 'is not', null)
      .where('withdrawn_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!row) continue
    await emitNewAccount(scope, row)
    const record = await findAnyRecord(scope, awaits_consent!)
    const { products = [], subscriptions = [] } = record ? connectRequest.read(record.request) : {}
    const opened = !(await mayBeWithdrawn(scope, row.holder_id))
    await startAccount(scope, row, { products, subscriptions, opened })
  }
  return pending.length
}

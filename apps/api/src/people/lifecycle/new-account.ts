import type { artifacts, reportBureaus } from '@causeway/contract/resources/file'
import { emit } from '../../notify/emit.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Scope } from '../../platform/scope.js'
import { emitNewAccount } from '../accounts/change.js'
import type { AccountRow } from '../holders/account.js'
import type { EntityRow } from '../holders/entity.js'
import { type RecordRow, recordJson } from '../holders/product.js'
import { productOf, subscriptionAvailability, supportsOf } from '../holders/product-rules.js'
import { showAccount } from '../holders/show-account.js'
import { lockAccount } from '../holders/store.js'
import { showRecordEvent } from '../records/show-record.js'
import { completedRecord, createRecord, emitRecord, findAnyRecord, findLatestIds } from '../records/store.js'
import { enroll } from '../subscriptions/store.js'
import { enrolmentOf } from '../subscriptions/subscription.js'
import { runProducts } from './run-products.js'

/**
 * The products to run, and the subscriptions to start, for each account that a connect finds, and the credit report to
 * request.
 */
export interface ConnectRequest {
  products?: string[]
  subscriptions?: string[]
  bureau?: (typeof reportBureaus)[number]
  artifacts?: (typeof artifacts)[number][]
  /** True if the person chooses which of the accounts to share. They are hidden until then. */
  chosen?: boolean
}

export const connectRequest = jsonColumn<ConnectRequest>('records.request')

/**
 * Requests a description of an account that a connect found: a snapshot (even if the account is closed), and a direct
 * update if the institution supports it.
 */
export async function describeAccount(scope: Scope, account: AccountRow): Promise<void> {
  const update = productOf(scope.deps.offers, { product: 'update', holder_id: account.id })!
  if (scope.deps.capabilities.missing('account_product', update.name) !== null) return
  await createRecord(scope, update, account, { source: 'snapshot' })
  if (account.status === 'active' && supportsOf(account).includes('update'))
    await createRecord(scope, update, account, { source: 'direct' })
}

/**
 * Starts the products and subscriptions requested by a connect that the account can have. `opened` is true if the
 * account was opened after an earlier connect.
 */
export async function startAccount(
  scope: Scope,
  account: AccountRow,
  requested: { products: readonly string[]; subscriptions: readonly string[]; opened: boolean },
): Promise<void> {
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

/** Finds the records that were created while accounts were hidden, and locks them until the transaction ends. */
async function lockHiddenRecords(scope: Scope, accounts: readonly AccountRow[]): Promise<RecordRow[]> {
  if (accounts.length === 0) return []
  const query = scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where(
      'holder_id',
      'in',
      accounts.map(({ id }) => id),
    )
    .where('product', '=', 'update')
    .orderBy('id')
  return lockRows(scope.db, query).execute()
}

/**
 * Shares a holder's accounts that await consent or are hidden: emits their events, and starts the products and
 * subscriptions requested by the connect that found them. The connect's result then lists them. Runs a fixed number of
 * statements for hidden accounts, because a person waits for them.
 * @returns the number of accounts that were not shared before
 */
export async function shareAccounts(scope: Scope, holder: EntityRow, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const unshared = await scope.db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', ids)
    .where('awaits_consent', 'is not', null)
    .where('withdrawn_at', 'is', null)
    .execute()
  if (unshared.length === 0) return 0
  const before = new Map(unshared.map(row => [row.id, row]))
  const shared = await scope.db
    .updateTable('accounts')
    .set({ awaits_consent: null, hidden_at: null, shared_at: scope.now, updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', [...before.keys()])
    .where('awaits_consent', 'is not', null)
    .where('withdrawn_at', 'is', null)
    .returningAll()
    .execute()
  const rows = shared.sort((one, other) => (one.id < other.id ? -1 : 1))
  const isNew = ({ id }: AccountRow) => before.get(id)!.awaits_consent !== id
  await emitSharedAgain(
    scope,
    rows.filter(row => !isNew(row)),
  )
  const rowsByConnect = new Map<string, AccountRow[]>()
  for (const row of rows.filter(isNew)) {
    const connect = before.get(row.id)!.awaits_consent!
    rowsByConnect.set(connect, [...(rowsByConnect.get(connect) ?? []), row])
  }
  for (const [connect, accounts] of rowsByConnect) {
    const wasHidden = ({ id }: AccountRow) => before.get(id)!.hidden_at !== null
    const records = await lockHiddenRecords(scope, accounts.filter(wasHidden))
    const record = await findAnyRecord(scope, connect)
    const { products = [], subscriptions = [] } = record ? connectRequest.read(record.request) : {}
    const opened = (await isConnected(scope, holder.id, connect)) && !(await mayBeWithdrawn(scope, holder.id))
    for (const account of accounts) {
      await emitNewAccount(scope, account)
      const update = productOf(scope.deps.offers, { product: 'update', holder_id: account.id })!
      for (const row of records.filter(({ holder_id }) => holder_id === account.id))
        await emitRecord(scope, update, account, update.events.create, showRecordEvent(scope, update, row, account))
      if (!wasHidden(account)) await describeAccount(scope, account)
      await startAccount(scope, account, { products, subscriptions, opened })
    }
    if (record) await addToConnect(scope, holder, record, accounts)
  }
  return unshared.length
}

/** Emits an event for each account that the team saw before its holder stopped sharing it. */
async function emitSharedAgain(scope: Scope, rows: readonly AccountRow[]): Promise<void> {
  const latest = await findLatestIds(
    scope,
    rows.map(({ id }) => id),
  )
  for (const row of rows) await emit(scope, 'account.update', showAccount(scope, row, latest.get(row.id) ?? {}))
}

/** Hides accounts that await consent. Emits no events, because the team has received none about them. */
export async function hidePending(scope: Scope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await scope.db
    .updateTable('accounts')
    .set({ hidden_at: scope.now, updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', ids)
    .where('awaits_consent', 'is not', null)
    .where('hidden_at', 'is', null)
    .execute()
}

/** Adds accounts to those that a connect's result lists, and emits the connect's events. */
async function addToConnect(
  scope: Scope,
  holder: EntityRow,
  before: RecordRow,
  added: readonly AccountRow[],
): Promise<void> {
  const product = productOf(scope.deps.offers, before)
  const accounts = connectedAccounts(before)
  if (!product || !accounts) return
  const ids = added.map(({ id }) => id)
  const after = await storeConnectedAccounts(scope, before, [...accounts, ...ids])
  const shown = showRecordEvent(scope, product, after, holder)
  const shownBefore = showRecordEvent(scope, product, before, holder)
  await emit(scope, product.events.update, shown, shownBefore)
  for (const type of product.extraEvents?.({ accounts: ids }, { accounts }, before.subscription_id !== null) ?? [])
    await emit(scope, type, shown, shownBefore)
}

/** Returns the ids of the accounts that a connect's result lists; null if it has no result. */
const connectedAccounts = ({ data }: RecordRow): string[] | null =>
  data === null ? null : (recordJson.data.read(data)['accounts'] as string[])

/** Stores the ids of the accounts that a connect's result lists. Emits no event. */
async function storeConnectedAccounts(scope: Scope, row: RecordRow, accounts: string[]): Promise<RecordRow> {
  return scope.db
    .updateTable('records')
    .set({ data: recordJson.data.write({ accounts }), updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Removes an account from the results of its holder's connects. Emits no event. */
export async function removeFromConnects(scope: Scope, { id, holder_id }: AccountRow): Promise<void> {
  const connects = await scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder_id)
    .where('product', '=', 'connect')
    .where('data', 'like', `%"${id}"%`)
    .execute()
  for (const row of connects)
    await storeConnectedAccounts(
      scope,
      row,
      (connectedAccounts(row) ?? []).filter(each => each !== id),
    )
}

/**
 * Returns true if an earlier connect found the entity's accounts. If `before` is given, counts only connects before
 * that one. After consent is withdrawn, returns false until the next connect.
 */
export async function isConnected(scope: Scope, entity: string, before?: string): Promise<boolean> {
  const newest = await completedRecord(scope, entity, 'connect', before)
  return newest !== undefined && newest.data !== null
}

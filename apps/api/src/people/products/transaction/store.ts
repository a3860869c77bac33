import { emit } from '../../../notify/emit.js'
import { createId } from '../../../platform/crypto/random.js'
import { jsonColumn } from '../../../platform/db/json-column.js'
import type { Scope } from '../../../platform/scope.js'
import { showTime } from '../../../platform/show.js'
import type { Body, RecordRow } from '../../holders/product.js'

export const TRANSACTION = 'transaction'
/** The number of transactions shown in an expanded account. */
const MAX_EXPANDED = 100

/** A purchase. Amounts are in cents; times are in ISO 8601. */
export interface Purchase {
  descriptor: string
  merchant: { name: string; logo: string | null } | null
  merchant_category_code: string
  amount: number
  currency_code: string
  transacted_at: string
  posted_at: string | null
  voided_at: string | null
}

export const purchaseJson = jsonColumn<Purchase>('records.data')

export function showTransaction(row: RecordRow): Body {
  const purchase = purchaseJson.read(row.data ?? '{}')
  return {
    id: row.id,
    account_id: row.holder_id,
    status: row.status,
    descriptor: purchase.descriptor,
    merchant: purchase.merchant,
    merchant_category_code: purchase.merchant_category_code,
    amount: purchase.amount,
    auth_amount: purchase.amount,
    currency_code: purchase.currency_code,
    transaction_amount: purchase.amount,
    transaction_auth_amount: purchase.amount,
    transaction_currency_code: purchase.currency_code,
    transacted_at: purchase.transacted_at,
    posted_at: purchase.posted_at,
    voided_at: purchase.voided_at ?? null,
    original_txn_id: null,
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

/**
 * Stores a purchase and emits its event. The account doesn't point to the purchase, because an account has many
 * purchases.
 * @param change the network's id for the purchase; if it is already stored, nothing changes and the result is null
 */
export async function addTransaction(
  scope: Scope,
  account: string,
  purchase: Purchase,
  subscription: string,
  change: string | null = null,
): Promise<RecordRow | null> {
  const row: RecordRow = {
    id: createId(TRANSACTION, scope.now),
    team_id: scope.team.id,
    holder_id: account,
    product: TRANSACTION,
    status: statusOf(purchase),
    request: '{}',
    data: purchaseJson.write(purchase),
    error: null,
    subscription_id: subscription,
    change,
    created_at: scope.now,
    updated_at: scope.now,
  }
  const inserted = await scope.db
    .insertInto('records')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['team_id', 'holder_id', 'product', 'change']).where('change', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return null
  await emit(scope, 'transaction.create', showTransaction(row))
  return row
}

export const statusOf = ({ posted_at, voided_at }: Purchase): string =>
  voided_at !== null ? 'voided' : posted_at === null ? 'pending' : 'posted'

/** Returns each account's latest transactions. Runs a single query for any number of accounts. */
export async function latestTransactions(scope: Scope, accounts: readonly string[]): Promise<Map<string, RecordRow[]>> {
  const byAccount = new Map<string, RecordRow[]>()
  if (accounts.length === 0) return byAccount
  const rows = await scope.db
    .selectFrom(query =>
      query
        .selectFrom('records')
        .selectAll()
        .select(each =>
          each.fn
            .agg<number>('row_number')
            .over(over => over.partitionBy('holder_id').orderBy('id', 'desc'))
            .as('place'),
        )
        .where('team_id', '=', scope.team.id)
        .where('holder_id', 'in', accounts)
        .where('product', '=', TRANSACTION)
        .as('numbered'),
    )
    .selectAll()
    .where('place', '<=', MAX_EXPANDED)
    .orderBy('id', 'desc')
    .execute()
  for (const row of rows) byAccount.set(row.holder_id, [...(byAccount.get(row.holder_id) ?? []), row])
  return byAccount
}

import { emit } from '../../../notify/events/store.js'
import { createId } from '../../../platform/crypto/random.js'
import { jsonColumn } from '../../../platform/db/json-column.js'
import type { Scope } from '../../../platform/scope.js'
import { showTime } from '../../../platform/show.js'
import type { Body, RecordRow } from '../product.js'

export const TRANSACTION = 'transaction'
/** The number of transactions shown in an expanded account. */
const SHOWN = 100

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

export const purchase = jsonColumn<Purchase>('records.data')

export function showTransaction(row: RecordRow): Body {
  const bought = purchase.read(row.data ?? '{}')
  return {
    id: row.id,
    account_id: row.holder_id,
    status: row.status,
    descriptor: bought.descriptor,
    merchant: bought.merchant,
    merchant_category_code: bought.merchant_category_code,
    amount: bought.amount,
    auth_amount: bought.amount,
    currency_code: bought.currency_code,
    transaction_amount: bought.amount,
    transaction_auth_amount: bought.amount,
    transaction_currency_code: bought.currency_code,
    transacted_at: bought.transacted_at,
    posted_at: bought.posted_at,
    voided_at: bought.voided_at ?? null,
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
  bought: Purchase,
  subscription: string,
  change: string | null = null,
): Promise<RecordRow | null> {
  const row: RecordRow = {
    id: createId(TRANSACTION, scope.now),
    team_id: scope.team.id,
    holder_id: account,
    product: TRANSACTION,
    status: statusOf(bought),
    request: '{}',
    data: purchase.write(bought),
    error: null,
    subscription_id: subscription,
    change,
    created_at: scope.now,
    updated_at: scope.now,
  }
  const made = await scope.db
    .insertInto('records')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['team_id', 'holder_id', 'product', 'change']).where('change', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!made) return null
  await emit(scope, 'transaction.create', showTransaction(row))
  return row
}

export const statusOf = ({ posted_at, voided_at }: Purchase): string =>
  voided_at !== null ? 'voided' : posted_at === null ? 'pending' : 'posted'

/** Returns each account's latest transactions. Runs a single query for any number of accounts. */
export async function transactionsOf(scope: Scope, accounts: readonly string[]): Promise<Map<string, RecordRow[]>> {
  const out = new Map<string, RecordRow[]>()
  if (accounts.length === 0) return out
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
    .where('place', '<=', SHOWN)
    .orderBy('id', 'desc')
    .execute()
  for (const row of rows) out.set(row.holder_id, [...(out.get(row.holder_id) ?? []), row])
  return out
}

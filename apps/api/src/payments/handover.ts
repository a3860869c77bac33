import type { AccountRow } from '../accounts/account.js'
import { readNumber } from '../accounts/show.js'
import { findAccounts } from '../accounts/store.js'
import type { Call } from '../ports.js'
import type { RailAccount, RailPayment } from '../rail/port.js'
import type { Scope } from '../scope.js'
import { keptOf, type PaymentRow } from './show.js'

/** Tries of a job that must not be given up: about a week of a rail that can't be reached. */
export const WEEK = 1_000

/** An account as the rail is told of it, its number in clear. */
export function railAccount(scope: Scope, row: AccountRow): RailAccount {
  return {
    id: row.id,
    type: row.type,
    routing: row.routing,
    number: readNumber(scope, row),
    reference: row.reference,
    mch_id: row.mch_id,
  }
}

/** What the rail is given with every call about a payment: the same each time. */
export async function railPayment(scope: Scope, row: PaymentRow): Promise<Call & RailPayment> {
  const accounts = await findAccounts(scope, [row.source ?? '', row.destination ?? ''])
  const end = (id: string) => {
    const account = accounts.find(each => each.id === id)
    if (!account) throw new Error('A payment names an account that is not there.')
    return railAccount(scope, account)
  }
  return {
    request_id: row.id,
    team_id: scope.team.id,
    now: scope.now,
    payment_id: row.id,
    amount: row.amount,
    fee: keptOf(row),
    source: row.source === null ? null : end(row.source),
    destination: end(row.destination ?? ''),
    created_at: row.created_at,
    source_date: row.source_settlement_date ?? '',
    destination_date: row.destination_settlement_date ?? '',
  }
}

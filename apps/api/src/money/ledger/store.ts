import type { Scope } from '../../platform/scope.js'
import { feeOf, type PaymentRow } from '../payments/show.js'
import { type LedgerPayment, position, postingsBetween } from './ledger.js'

/** The columns of a payment's row that the ledger needs. */
export interface LedgerPaymentRow {
  status: string
  amount: number
  fee: PaymentRow['fee']
  source: string | null
  destination: string | null
}

export function ledgerPayment(
  { status, amount, fee, source, destination }: LedgerPaymentRow,
  reversal: { direction: string; target_account: string | null; amount: number; status: string } | null,
): LedgerPayment {
  return {
    status,
    amount,
    fee: feeOf({ fee }),
    source,
    destination,
    reversal: reversal && { ...reversal, target: reversal.target_account },
  }
}

/**
 * Adds the ledger postings for a payment's move, in the same transaction as the move. A payment enters each status only
 * once, so the primary key rejects a second posting of the same move.
 * @param before null for a new payment
 */
export async function addPostings(
  scope: Scope,
  id: string,
  before: LedgerPayment | null,
  after: LedgerPayment,
): Promise<void> {
  const entries = postingsBetween(before ? position(before) : new Map(), position(after))
  if (entries.size === 0) return
  const rows = [...entries].map(([account, amount], index) => ({
    payment_id: id,
    leg: `${after.status}.${index}`,
    team_id: scope.team.id,
    account,
    amount,
    created_at: scope.now,
  }))
  await scope.db.insertInto('ledger').values(rows).execute()
}

/** Returns the payment's postings, in order. */
export const postingsOf = (scope: Scope, payment: string) =>
  scope.db
    .selectFrom('ledger')
    .select(['leg', 'account', 'amount', 'created_at'])
    .where('team_id', '=', scope.team.id)
    .where('payment_id', '=', payment)
    .orderBy('created_at')
    .orderBy('leg')
    .execute()

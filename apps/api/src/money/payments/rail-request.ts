import type { PortCall } from '@causeway/connector/ports/call'
import type { RailAccount, RailPayment } from '@causeway/connector/ports/rail'
import type { ResourceErrorCode } from '@causeway/contract/errors'
import { createPortCall } from '../../network/ports.js'
import type { PayingAccount } from '../../people/holders/account.js'
import { readAccountDetails } from '../../people/holders/account-details.js'
import { findHolderNames } from '../../people/holders/holder-names.js'
import { readNumber } from '../../people/holders/show-account.js'
import { findPayingAccounts } from '../../people/holders/store.js'
import type { Scope } from '../../platform/scope.js'
import { settlementDates } from './payment-hold.js'
import { feeOf, type PaymentRow } from './show.js'
import { sourceErrorCode } from './source.js'

/** The number of attempts for a job that must not be abandoned, enough for about a week of rail downtime. */
export const RAIL_JOB_ATTEMPTS = 1_000

/**
 * Returns the account data sent to the rail, with the account number in plain text. An external rail also gets the
 * holder's name, which banks compare with the account's, and the expiration date of a card.
 */
export async function loadRailAccounts<const Rows extends readonly (PayingAccount | null)[]>(
  scope: Scope,
  rows: Rows,
): Promise<{ [At in keyof Rows]: Rows[At] extends PayingAccount ? RailAccount : RailAccount | null }> {
  const holders = scope.deps.railIsExternal
    ? await findHolderNames(scope, [...new Set(rows.flatMap(row => row?.holder_id ?? []))])
    : new Map<string, never>()
  const accounts = rows.map((row): RailAccount | null => {
    if (row === null) return null
    const holder = holders.get(row.holder_id)
    const card = scope.deps.railIsExternal ? readAccountDetails(scope, row).card : null
    return {
      id: row.id,
      type: row.type,
      routing: row.routing,
      number: readNumber(scope, row),
      reference: row.reference,
      mch_id: row.mch_id,
      ...(holder && { holder }),
      ...(row.ach_type && { account_type: row.ach_type }),
      ...(card?.exp_month && card.exp_year && { card: { exp_month: card.exp_month, exp_year: card.exp_year } }),
    }
  })
  return accounts as { [At in keyof Rows]: Rows[At] extends PayingAccount ? RailAccount : RailAccount | null }
}

export interface RailRequest {
  /** The input for the rail. Once the rail has received the payment, every call about it has the same input. */
  call: PortCall & RailPayment
  /** The reason that the payment must no longer be made, or null if it can still be made. */
  sourceError: ResourceErrorCode | null
}

export async function loadRailRequest(scope: Scope, row: PaymentRow): Promise<RailRequest> {
  const accounts = await findPayingAccounts(scope, [row.source ?? '', row.destination ?? ''])
  const end = (id: string) => {
    const account = accounts.find(row => row.id === id)
    if (!account) throw new Error('The payment refers to an account that does not exist.')
    return account
  }
  const source = row.source === null ? null : end(row.source)
  // A held payment has not reached the rail yet, so it gets new dates when it continues.
  const dates = row.fund_status === 'hold' ? settlementDates(scope.now) : row
  const [sourceAccount, destination] = await loadRailAccounts(scope, [source, end(row.destination ?? '')])
  const call = {
    payment_id: row.id,
    amount: row.amount,
    fee: feeOf(row),
    source: sourceAccount,
    destination,
    created_at: row.created_at,
    source_date: dates.source_settlement_date ?? '',
    destination_date: dates.destination_settlement_date ?? '',
    ...createPortCall(scope, row.id),
  }
  return { call, sourceError: source && sourceErrorCode(source) }
}

/** Returns the rail's input for a payment, whatever the state of its source. */
export const loadRailPayment = async (scope: Scope, row: PaymentRow): Promise<RailRequest['call']> =>
  (await loadRailRequest(scope, row)).call

declare module '../../platform/scope.js' {
  interface Deps {
    /** True if the rail is not the sandbox's. An external rail gets the names of holders. */
    readonly railIsExternal: boolean
  }
}

import type { RailAccount, RailPayment } from '@causeway/connector/ports/rail'
import type { ResourceErrorCode } from '@causeway/contract/errors'
import { createPortCall, type RoutedCall } from '../../network/ports.js'
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
 * @param provider the rail's provider
 */
export async function loadRailAccounts<const Rows extends readonly (PayingAccount | null)[]>(
  scope: Scope,
  rows: Rows,
  provider: string | null,
): Promise<{ [At in keyof Rows]: Rows[At] extends PayingAccount ? RailAccount : RailAccount | null }> {
  const isExternal = provider !== 'sandbox'
  const holders = isExternal
    ? await findHolderNames(scope, [...new Set(rows.flatMap(row => row?.holder_id ?? []))])
    : new Map<string, never>()
  const accounts = rows.map((row): RailAccount | null => {
    if (row === null) return null
    const holder = holders.get(row.holder_id)
    const card = isExternal ? readAccountDetails(scope, row).card : null
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

/** Returns the provider of a payment's rail. Payments before the column was added have the present one. */
export const railOf = ({ deps }: Scope, { provider }: Pick<PaymentRow, 'provider'>): string | null =>
  provider ?? deps.railProvider

export interface RailRequest {
  /** The input for the rail. Once the rail has received the payment, every call about it has the same input. */
  call: RoutedCall & RailPayment
  /** The reason that the payment must no longer be made, or null if it can still be made. */
  sourceError: ResourceErrorCode | null
}

/** Returns the request for the rail that the payment was created for, even if new payments go to another one. */
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
  const provider = railOf(scope, row)
  const [sourceAccount, destination] = await loadRailAccounts(scope, [source, end(row.destination ?? '')], provider)
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
    provider,
  }
  return { call, sourceError: source && sourceErrorCode(source) }
}

/** Returns the rail's input for a payment, whatever the state of its source. */
export const loadRailPayment = async (scope: Scope, row: PaymentRow): Promise<RailRequest['call']> =>
  (await loadRailRequest(scope, row)).call

declare module '../../platform/scope.js' {
  interface Deps {
    /** The provider of the rail that new payments go to, such as `sandbox`. Null if there is none. */
    readonly railProvider: string | null
  }
}

import { OutsideError } from '@causeway/connector/ports/outside-error'
import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'
import { createPortCall } from '../../network/ports.js'
import { isPayable, type PayingAccount, payingColumns } from '../../people/holders/account.js'
import { consentMissing } from '../../people/holders/consent-rules.js'
import type { EntityRow } from '../../people/holders/entity.js'
import { compiled } from '../../platform/db/compiled-query.js'
import { shareRows } from '../../platform/db/row-locks.js'
import type { Db } from '../../platform/db/store.js'
import type { Scope } from '../../platform/scope.js'
import { loadRailAccounts } from './rail-request.js'

/** An account that can be a payment's source or destination, with its holder's status and its balance. */
export type PaymentAccount = PayingAccount & {
  holder_status: EntityRow['status']
  /** The account's latest known balance, as JSON. Null if unknown. */
  balance: string | null
}

interface PaymentAccountIds {
  team: string
  ids: readonly string[]
}

const paymentAccounts = (db: Db, { team, ids }: PaymentAccountIds) =>
  db
    .selectFrom('accounts')
    .innerJoin('entities', on =>
      on.onRef('entities.team_id', '=', 'accounts.team_id').onRef('entities.id', '=', 'accounts.holder_id'),
    )
    .leftJoin('latest', on =>
      on
        .onRef('latest.team_id', '=', 'accounts.team_id')
        .onRef('latest.holder_id', '=', 'accounts.id')
        .on('latest.product', '=', 'balance'),
    )
    .leftJoin('records', on =>
      on
        .onRef('records.team_id', '=', 'accounts.team_id')
        .onRef('records.id', '=', 'latest.record_id')
        .on('records.status', '=', 'completed'),
    )
    .select(payingColumns)
    .select(['entities.status as holder_status', 'records.data as balance'])
    .where('accounts.team_id', '=', team)
    .where('accounts.id', 'in', ids)
    // mutant: no-payments-before-consent (remove)
    .where('accounts.awaits_consent', 'is', null)

const selectPaymentAccounts = compiled(paymentAccounts)
const holdPaymentAccounts = compiled((db, given: PaymentAccountIds) =>
  shareRows(db, paymentAccounts(db, given), ['accounts']),
)

async function findPaymentAccounts(
  { db, team }: Scope,
  ids: readonly string[],
  select = selectPaymentAccounts,
): Promise<Map<string, PaymentAccount>> {
  const rows = await select.all(db, { team: team.id, ids })
  return new Map(rows.map(row => [row.id, row]))
}

function validateSource(scope: Scope, row: PaymentAccount | undefined): PayingAccount {
  if (row?.status !== 'active') throw new ServiceError('INVALID_SOURCE')
  if (row.type !== 'ach') throw new ServiceError('INVALID_SOURCE_LIABILITY')
  if (row.holder_status !== 'active') throw new ServiceError('INVALID_SOURCE_HOLDER')
  const reason = scope.deps.capabilities.missing('account_product', 'payment')
  // mutant: payment-needs-a-rail (drop 2)
  if (!scope.team.settings.products.includes('payment') || reason !== null)
    throw new ServiceError('INVALID_SOURCE_HOLDER_CAPABILITIES', reason ?? undefined)
  if (!isPayable(scope, row))
    throw new ServiceError('INVALID_SOURCE_CAPABILITIES', consentMissing(row, 'payment')?.message)
  return row
}

function validateDestination(scope: Scope, row: PaymentAccount | undefined): PaymentAccount {
  if (row?.status !== 'active') throw new ServiceError('INVALID_DESTINATION')
  if (row.type === 'ach' && !scope.team.settings.ach_destinations)
    throw new ServiceError('INVALID_ACH_DESTINATION_NOT_ALLOWED')
  if (row.holder_status !== 'active') throw new ServiceError('INVALID_DESTINATION_HOLDER')
  if (!isPayable(scope, row))
    throw new ServiceError('INVALID_DESTINATION_CAPABILITIES', consentMissing(row, 'payment')?.message)
  return row
}

/** Returns the source account. Throws the INVALID_SOURCE errors that creating a payment can return. */
export async function checkSource(scope: Scope, id: string): Promise<PayingAccount> {
  return validateSource(scope, (await findPaymentAccounts(scope, [id])).get(id))
}

/** Returns the error of a payment from each account, by the account's id. An account that could pay has null. */
export async function findSourceErrors(
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ErrorSubType | null>> {
  const rows = await findPaymentAccounts(scope, ids)
  return new Map(ids.map(id => [id, sourceErrorOf(() => validateSource(scope, rows.get(id)))]))
}

function sourceErrorOf(validate: () => void): ErrorSubType | null {
  try {
    validate()
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error.subType
    throw error
  }
}

/** Returns the destination account. Throws the INVALID_DESTINATION errors that creating a payment can return. */
export async function checkDestination(scope: Scope, id: string): Promise<PaymentAccount> {
  return validateDestination(scope, (await findPaymentAccounts(scope, [id])).get(id))
}

/** The accounts that a request for a payment names. */
interface NamedAccounts {
  source: string
  destination: string
  reversal_account: string | null
}

/**
 * Checks the source and the destination as {@link checkPaymentAccounts} does. Keeps the accounts as they are until the
 * transaction ends, so that no person stops sharing them before the payment is stored.
 */
export const holdCheckedAccounts = (scope: Scope, named: NamedAccounts) =>
  checkPaymentAccounts(scope, named, /* mutant: payment-holds-its-accounts (remove) */ holdPaymentAccounts)

/** Checks the source and the destination with one query. Source errors are thrown first. */
export async function checkPaymentAccounts(
  scope: Scope,
  { source, destination, reversal_account }: NamedAccounts,
  select = selectPaymentAccounts,
): Promise<{ source: PayingAccount; destination: PaymentAccount }> {
  const ids = [source, destination, ...(reversal_account === null ? [] : [reversal_account])]
  const accountsById = await findPaymentAccounts(scope, ids, select)
  const accounts = {
    source: validateSource(scope, accountsById.get(source)),
    destination: validateDestination(scope, accountsById.get(destination)),
  }
  const reversal = reversal_account === null ? undefined : accountsById.get(reversal_account)
  if (reversal_account !== null && !(reversal?.type === 'ach' && reversal.status === 'active'))
    throw new ServiceError('INVALID_REQUEST', 'reversal_account must be an active ach account of this team.')
  return accounts
}

/**
 * Calls the rail to check whether it would accept a payment. Must not be called inside a transaction.
 * @returns the rejection, or null if the rail would accept the payment or could not be reached. If the rail could not
 * be reached, it accepts or rejects the payment when the payment is submitted
 */
export async function checkRail(
  scope: Scope,
  { amount, source, destination }: { amount: number; source: PayingAccount; destination: PayingAccount },
): Promise<ErrorSubType | null> {
  try {
    const [railSource, railDestination] = await loadRailAccounts(scope, [source, destination], scope.deps.railProvider)
    const answer = await scope.deps.ports.rail.accepts({
      amount,
      source: railSource,
      destination: railDestination,
      ...createPortCall(scope, `${source.id} ${destination.id} ${amount}`),
    })
    return answer.accepted ? null : answer.sub_type
  } catch (error) {
    if (error instanceof OutsideError) return null
    throw error
  }
}

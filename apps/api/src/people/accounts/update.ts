import { ServiceError } from '@causeway/contract/errors'
import { callOutside } from '../../network/outside-call.js'
import { createPortCall } from '../../network/ports.js'
import { metadataText } from '../../platform/http/endpoint/metadata.js'
import { type Answer, one } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import { auditReads } from '../../team/teams/reads.js'
import type { AccountRow } from '../holders/account.js'
import { blankCard, readAccountDetails, sealAccountDetails } from '../holders/account-details.js'
import { isMasked, showAccount } from '../holders/show-account.js'
import { findAccount, lockAccount } from '../holders/store.js'
import { findLatestIds } from '../records/store.js'
import { updateAccount } from './change.js'
import { type AccountChange, type DebtChange, readDebtChange } from './input.js'
import { emitNumberUpdate, numberColumns } from './renumber.js'

/** Throws if the account does not allow the change. */
function validateChange(row: AccountRow, change: DebtChange): void {
  if (row.status === 'disabled') throw new ServiceError('INVALID_REQUEST', 'A disabled account cannot be updated.')
  const type = row.type === 'liability' ? row.liability_type : null
  if (change.address && type !== 'mortgage')
    throw new ServiceError('INVALID_REQUEST', 'liability.mortgage is allowed only for an account of type mortgage.')
  if ((change.number ?? change.expiry) !== undefined && type !== 'credit_card')
    throw new ServiceError(
      'INVALID_REQUEST',
      'liability.credit_card is allowed only for an account of type credit_card.',
    )
}

interface Change {
  params: { readonly acc_id: string }
  body: AccountChange
}

/** Calls the network to check whether a new number belongs to the account. */
export async function prepareUpdate(ctx: Ctx, { params, body }: Change): Promise<DebtChange> {
  const change = readDebtChange(body)
  const row = orNotFound(await findAccount(ctx, params.acc_id))
  validateChange(row, change)
  const { number } = change
  if (number === undefined) return change
  const verdict = await callOutside(() =>
    ctx.deps.ports.network.verifyNumber({
      ...createPortCall(ctx, ctx.requestId),
      account: row.reference ?? '',
      number,
    }),
  )
  if (verdict.status !== 'verified')
    throw new ServiceError('INVALID_ACCOUNT_NUMBER', 'The institution does not recognize this number for this account.')
  return change
}

/** Returns the columns that the change sets. */
function changedColumns(ctx: Ctx, row: AccountRow, { address, number, expiry }: DebtChange): Partial<AccountRow> {
  const details = readAccountDetails(ctx, row)
  if (address) details.address = address
  if (expiry) details.card = { ...(details.card ?? blankCard), ...expiry }
  return {
    ...(address || expiry ? { details: sealAccountDetails(ctx, row.id, details) } : {}),
    ...(number === undefined ? {} : numberColumns(ctx, row, number)),
  }
}

/** Applies a customer's change to an account's metadata, a card's number or expiry, or a mortgage's address. */
export async function changeAccount(
  ctx: Ctx,
  { params, body, prepared: change }: Change & { prepared: DebtChange },
): Promise<Answer> {
  const row = orNotFound(await lockAccount(ctx, params.acc_id))
  validateChange(row, change)
  const metadata = body.metadata === undefined ? row.metadata : metadataText(body.metadata)
  const after = await updateAccount(ctx, row, { ...changedColumns(ctx, row, change), metadata })
  if (change.number !== undefined) return one(await emitNumberUpdate(ctx, row, after))
  if (row.type === 'ach' && !isMasked(ctx)) await auditReads(ctx, 'account.number.read', [row.id])
  return one(showAccount(ctx, after, (await findLatestIds(ctx, [row.id])).get(row.id) ?? {}))
}

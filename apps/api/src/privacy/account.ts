import { resourceCodes, resourceError, ServiceError } from '@causeway/contract/errors'
import { isInProgress, statuses } from '../money/payments/payment.js'
import { emit } from '../notify/emit.js'
import { type AccountRow, isShared } from '../people/holders/account.js'
import { showAccount } from '../people/holders/show-account.js'
import { removeFromConnects } from '../people/lifecycle/new-account.js'
import { emitProductChanges } from '../people/records/product-objects.js'
import { endSubscriptions } from '../people/subscriptions/store.js'
import { writeJson } from '../platform/db/json.js'
import type { Scope } from '../platform/scope.js'
import { failOpenRecords, scrubHolderData, scrubReceivedData } from './scrub.js'

/** True if a payment that involves an account or a holder is in progress. */
export async function hasPaymentInProgress(scope: Scope, by: 'account' | 'holder', id: string): Promise<boolean> {
  const [source, destination] =
    by === 'account' ? (['source', 'destination'] as const) : (['source_holder_id', 'destination_holder_id'] as const)
  const row = await scope.db
    .selectFrom('payments')
    .select('id')
    .where('team_id', '=', scope.team.id)
    .where(end => end.or([end(source, '=', id), end(destination, '=', id)]))
    .where('status', 'in', statuses.filter(isInProgress))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes an account's data and permanently disables the account. The caller must have locked the account's row. */
export async function withdrawAccount(scope: Scope, account: AccountRow): Promise<AccountRow> {
  await failOpenRecords(scope, account)
  const row = await scope.db
    .updateTable('accounts')
    .set({
      status: 'disabled',
      error: writeJson(resourceError(resourceCodes.ACCOUNT_CONSENT_WITHDRAWN)),
      withdrawn_at: scope.now,
      ach_type: null,
      routing: null,
      number: null,
      number_hash: null,
      mch_id: null,
      mask: null,
      ownership: null,
      fingerprint: null,
      liability_type: null,
      sub_type: null,
      name: null,
      reference: null,
      payable: 'no',
      supports: '[]',
      subscribed: '[]',
      details: null,
      proven: '[]',
      agreed: null,
      verified_at: null,
      metadata: null,
      updated_at: scope.now,
    })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', account.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const resource = showAccount(scope, row, {})
  await scrubHolderData(scope, row, resource)
  // The team can't see the account, so it gets no event.
  if (!isShared(row)) return row
  await emit(scope, 'account.update', resource)
  await emitProductChanges(scope, account, row)
  return row
}

/**
 * Hides an account from the team because its holder does not share it. Deletes what the team received about it, and
 * keeps what the holder needs to share it again. The team gets the event of an account whose consent is withdrawn. The
 * caller must have locked the account's row. Throws an error if a payment that involves the account is in progress.
 */
export async function hideAccount(scope: Scope, account: AccountRow): Promise<void> {
  // mutant: no-hiding-while-paying (false)
  if (await hasPaymentInProgress(scope, 'account', account.id))
    throw new ServiceError('ACCOUNT_HAS_PAYMENT_IN_PROGRESS')
  await endSubscriptions(scope, account.id)
  const hidden = await scope.db
    .updateTable('accounts')
    .set({ awaits_consent: account.id, hidden_at: scope.now, subscribed: '[]', updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', account.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await removeFromConnects(scope, hidden)
  const withdrawn = {
    ...hidden,
    status: 'disabled' as const,
    error: writeJson(resourceError(resourceCodes.ACCOUNT_CONSENT_WITHDRAWN)),
    withdrawn_at: scope.now,
    metadata: null,
  }
  const resource = showAccount(scope, withdrawn, {})
  await scrubReceivedData(scope, hidden, resource)
  await emit(scope, 'account.update', resource)
}

/** Withdraws consent for one account at its holder's request. Throws an error if consent can't be withdrawn. */
export async function withdrawAccountConsent(scope: Scope, row: AccountRow): Promise<AccountRow> {
  if (row.withdrawn_at !== null) throw new ServiceError('ACCOUNT_CONSENT_ALREADY_WITHDRAWN')
  if (await hasPaymentInProgress(scope, 'account', row.id)) throw new ServiceError('ACCOUNT_HAS_PAYMENT_IN_PROGRESS')
  return withdrawAccount(scope, row)
}

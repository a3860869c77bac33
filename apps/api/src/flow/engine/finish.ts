import { type Allocations, total } from '@causeway/contract/allocations'
import { ServiceError } from '@causeway/contract/errors'
import type { FlowEvent } from '@causeway/contract/session'
import { lockAccount } from '../../people/holders/store.js'
import { widenAccess, widenAccount } from '../../people/lifecycle/limit-access.js'
import { runProducts } from '../../people/lifecycle/run-products.js'
import { enroll } from '../../people/subscriptions/store.js'
import { enrolmentOf } from '../../people/subscriptions/subscription.js'
import type { Scope } from '../../platform/scope.js'
import { askedProducts } from '../session/consent-terms.js'
import { consentLocale, insertConsents } from '../session/consents.js'
import { type NewFlowEvent, recordEvents } from '../session/events.js'
import { chosenAccounts, type Facts, isFollowed, type SessionAccount } from '../session/facts.js'
import { futureAccountsConsent, modeRules } from '../session/modes.js'
import { readProgress, type SessionRow, sessionJson } from '../session/session.js'
import type { SessionRows } from '../session/store.js'
import { emitUpdate, updateSession } from '../session/update-session.js'
import { transitionTo } from './transitions.js'

/**
 * Stores allocations that the person has confirmed, or that the sandbox has confirmed on their behalf.
 * @param row the locked session
 * @returns the changed row and the events to record
 */
export async function confirmAllocations(
  tx: Scope,
  row: SessionRow,
  facts: Facts,
  amounts: Allocations,
): Promise<{ row: SessionRow; events: NewFlowEvent[] }> {
  if (row.released_at !== null)
    throw new ServiceError('INVALID_STATUS', 'The session is released, so its allocations can no longer change.')
  const progress = readProgress(row)
  const positiveAmounts = Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0))
  const { terms } = facts.config
  const move = transitionTo(progress, { step: 'done' }, row)
  const after = await updateSession(tx, row, {
    allocations: sessionJson.allocations.write(positiveAmounts),
    completed_at: row.completed_at ?? tx.now,
    progress: sessionJson.progress.write({ ...progress, reviewing: false, editing: false, draft: null, ...move.shown }),
  })
  // The person authorized these payments.
  for (const { row: account } of chosenAccounts(facts)) {
    if (account.agreed === null || !positiveAmounts[account.id]) continue
    const locked = await lockAccount(tx, account.id)
    // mutant: confirmed-account-can-be-paid (remove)
    if (locked) await widenAccount(tx, locked, ['payment'])
  }
  await emitUpdate(tx, after, row)
  const data = {
    session_id: row.id,
    entity_id: row.entity_id,
    allocations: positiveAmounts,
    residual_amount: terms!.loan_amount - total(positiveAmounts),
  }
  const events = [
    ...move.events,
    { type: 'balance_transfer.allocations.confirmed', data },
    { type: 'opal.session.completed', data: { session_id: row.id } },
  ]
  return { row: after, events }
}

/**
 * Completes a session that has no loan, once its accounts are chosen and verified. The transaction has locked the
 * person and the session.
 * @returns the session's events, and the new facts if only the session changed
 */
export async function finishSession(
  tx: Scope,
  { entity, session: row }: SessionRows,
  facts: Facts,
  handle: string,
): Promise<{ events: FlowEvent[]; facts: Facts | null; job: null }> {
  if (row.completed_at !== null) return { events: [], facts: null, job: null }
  const progress = readProgress(row)
  const asks = askedProducts(tx.deps, facts)
  if (entity.withdrawn_at === null && facts.progress.future) await shareFuture(tx, facts)
  if (entity.withdrawn_at === null && modeRules[row.mode].accounts === 'none') await widenAccess(tx, entity, asks)
  const accounts = chosenAccounts(facts)
  if (modeRules[row.mode].accounts === 'named')
    for (const account of accounts) await widenAccount(tx, account.row, asks)
  for (const account of accounts) await runProducts(tx, account.row, facts.config.products)
  const follows = facts.config.products.includes('transaction')
  if (follows) await follow(tx, accounts)
  const linked = follows ? facts.accounts.filter(isFollowed) : []
  const ids = [...accounts, ...linked].map(found => found.row.id)
  const end = row.mode === 'manage' ? 'manage' : 'done'
  const finalProgress = { ...progress, selected: ids }
  const move = transitionTo({ ...finalProgress, dropped: {} }, { step: end }, row)
  const after = await updateSession(tx, row, {
    completed_at: tx.now,
    progress: sessionJson.progress.write({ ...finalProgress, ...move.shown }),
  })
  await emitUpdate(tx, after, row)
  const { flow } = modeRules[row.mode]
  const data = { entity_id: facts.entity.id, accounts: ids }
  const events = await recordEvents(tx, row, handle, [
    ...move.events,
    ...(follows ? [{ type: 'transactions.accounts.linked', data }] : []),
    ...(isReported(flow, move.events) ? [] : [{ type: `${flow}.flow.completed`, data }]),
    { type: 'opal.session.completed', data: { session_id: row.id } },
  ])
  // Accounts to which products were added must be reread.
  const isSame = !facts.progress.future && facts.config.products.length === 0
  return { events, facts: isSame ? { ...facts, session: after, progress: readProgress(after) } : null, job: null }
}

/**
 * Returns true if the end of a flow was already reported, either by the session's last move or before it. Accounts are
 * verified only after the `connect` flow has ended.
 */
const isReported = (flow: string, last: readonly NewFlowEvent[]): boolean => {
  const ends = last.map(({ type }) => type)
  const isVerified = ends.includes('account_verification.flow.completed')
  return (
    flow === 'identity_verification' || ends.includes(`${flow}.flow.completed`) || (flow === 'connect' && isVerified)
  )
}

/**
 * Records the person's consent to share accounts that they open later. This consent is separate from the consent given
 * at the start of the session.
 */
async function shareFuture(tx: Scope, facts: Facts): Promise<void> {
  await tx.db
    .updateTable('entities')
    .set({ future_accounts_at: tx.now })
    .where('team_id', '=', tx.team.id)
    .where('id', '=', facts.entity.id)
    .execute()
  await insertConsents(tx, facts, [futureAccountsConsent], consentLocale(facts))
}

/** Enrolls these cards in transaction updates. */
async function follow(tx: Scope, accounts: readonly SessionAccount[]): Promise<void> {
  const enrolment = enrolmentOf(tx.deps.offers, 'account', 'transaction')!
  for (const { row } of accounts) await enroll(tx, (await lockAccount(tx, row.id))!, enrolment, null)
}

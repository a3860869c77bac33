import { total } from '@causeway/contract/allocations'
import { type ErrorBody, type ErrorSubType, ServiceError } from '@causeway/contract/errors'
import { formatMoney } from '@causeway/contract/money'
import type { PaymentAccount } from '../../money/payments/accounts.js'
import {
  checkDestination,
  checkRail,
  checkSource,
  createPayment,
  monthlyCeilings,
} from '../../money/payments/create.js'
import { rejectWhileStopped } from '../../money/payments/payment-hold.js'
import type { PayingAccount } from '../../people/holders/account.js'
import { findAccount, lockAccount } from '../../people/holders/store.js'
import { savepoint } from '../../platform/db/store.js'
import type { Ctx } from '../../platform/scope.js'
import { readAllocations, readConfig, type SessionRow, sessionJson } from '../session/session.js'
import { findSession, lockSession } from '../session/store.js'
import { emitUpdate } from '../session/update-session.js'
import { checkTerms, releaseState } from './release-rules.js'

export interface ReleaseRequest {
  id: string
  source: string | undefined
}

/** The rail's responses to the checks before a release: one for the total, and one for each account. */
interface RailAnswers {
  whole: ErrorSubType | null
  each: Record<string, ErrorSubType | null>
}

const sourceOf = (ctx: Ctx, given: string | undefined) => given ?? ctx.team.settings.default_source_account ?? undefined

/**
 * Calls the rail, in parallel and outside the transaction, to check that it would accept the payments. Changes nothing.
 * If the rail can't be reached, the release continues, and the rail accepts or rejects each payment at submission.
 */
export async function prepareRelease(ctx: Ctx, { id, source }: ReleaseRequest): Promise<RailAnswers> {
  const railAnswers: RailAnswers = { whole: null, each: {} }
  const session = await findSession(ctx, id)
  const from = sourceOf(ctx, source)
  const payer = from === undefined ? undefined : await findAccount(ctx, from)
  if (!session || session.released_at !== null || payer?.type !== 'ach') return railAnswers
  const allocations = readAllocations(session)
  const sum = total(allocations)
  const asked = await Promise.all(
    Object.entries(allocations).map(async ([account, amount]) => {
      const destination = await findAccount(ctx, account)
      if (destination?.type !== 'liability') return null
      const ask = (cents: number) => checkRail(ctx, { amount: cents, source: payer, destination })
      const [whole, each] = await Promise.all([ask(sum), ask(amount)])
      return { account, whole: fundsOnly(whole), each }
    }),
  )
  for (const answer of asked) {
    if (!answer) continue
    railAnswers.whole ??= answer.whole
    railAnswers.each[answer.account] = answer.each
  }
  ctx.deps.reach('release.asked')
  return railAnswers
}

const fundsOnly = (refusal: ErrorSubType | null) => (refusal === 'INSUFFICIENT_FUNDS' ? refusal : null)

/**
 * Releases a confirmed session by making an independent payment to each allocated account. The session becomes
 * `released` once; releasing it again changes nothing. Errors: NOT_FOUND, INVALID_MODE_CONFIG, BT_*, and the errors for
 * a payment's source.
 */
export async function release(ctx: Ctx, { id, source }: ReleaseRequest, railAnswers: RailAnswers): Promise<SessionRow> {
  const session = await lockSession(ctx, id)
  ctx.deps.reach('release.locked')
  if (!session) throw new ServiceError('NOT_FOUND')
  const { terms } = readConfig(session)
  if (session.mode !== 'balance_transfer' || !terms) throw new ServiceError('INVALID_MODE_CONFIG')
  const allocations = readAllocations(session)
  const state = releaseState(session, allocations)
  if (state === 'released') return session
  if (state === 'unconfirmed') throw new ServiceError('BT_NO_ALLOCATIONS')
  rejectWhileStopped(ctx)
  const from = sourceOf(ctx, source)
  if (from === undefined) throw new ServiceError('BT_MISSING_SOURCE')
  const payer = await checkSource(ctx, from)
  const destinations = new Map<string, PaymentAccount>()
  for (const account of Object.keys(allocations).sort()) {
    if (account === payer.id) throw new ServiceError('INVALID_TRANSFER')
    destinations.set(account, await lockPayableAccount(ctx, account))
  }
  checkTerms(allocations, terms)
  if (railAnswers.whole)
    throw new ServiceError(
      railAnswers.whole,
      `The source account's last known balance is less than the total of ${formatMoney(total(allocations))}.`,
    )
  return createPayments(ctx, session, payer, destinations, railAnswers)
}

/** Locks an allocated account until the payments are created. Throws if the account can't receive a payment. */
async function lockPayableAccount(ctx: Ctx, id: string): Promise<PaymentAccount> {
  await lockAccount(ctx, id)
  try {
    // mutant: release-checks-destinations (= {})
    return await checkDestination(ctx, id)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError(
      'BT_ACCOUNT_NOT_PAYABLE',
      `${id} can no longer receive payments. Have the person change the allocations with a new token for this session.`,
    )
  }
}

async function createPayments(
  ctx: Ctx,
  session: SessionRow,
  source: PayingAccount,
  destinations: ReadonlyMap<string, PaymentAccount>,
  railAnswers: RailAnswers,
): Promise<SessionRow> {
  const ids: Record<string, string | null> = {}
  const errors: Record<string, ErrorBody> = {}
  const ceilings = await monthlyCeilings(ctx)
  for (const [id, amount] of Object.entries(readAllocations(session))) {
    const destination = destinations.get(id)!
    const refusal = railAnswers.each[id] ?? null
    try {
      const payment = await savepoint(ctx.db, () =>
        createPayment(ctx, {
          amount,
          source,
          destination,
          description: ctx.team.settings.payment_description,
          session_id: session.id,
          rejection: refusal,
          ceilings,
        }),
      )
      ids[id] = payment.id
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      ids[id] = null
      errors[id] = error.body()
    }
    ctx.deps.reach('release.payment')
  }
  const after = await ctx.db
    .updateTable('sessions')
    .set({
      payout_status: 'released',
      payment_ids: sessionJson.payment_ids.write(ids),
      payment_errors: sessionJson.payment_errors.write(errors),
      released_at: ctx.now,
      revision: session.revision + 1,
      updated_at: ctx.now,
    })
    .where('team_id', '=', ctx.team.id)
    .where('id', '=', session.id)
    .where('payout_status', '=', 'pending_release')
    .returningAll()
    .executeTakeFirstOrThrow()
  await emitUpdate(ctx, after, session)
  ctx.deps.reach('release.saved')
  ctx.after(() => ctx.deps.reach('release.committed'))
  return after
}

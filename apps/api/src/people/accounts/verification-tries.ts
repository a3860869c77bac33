import { resourceCodes, ServiceError } from '@causeway/contract/errors'
import { lockRows } from '../../platform/db/row-locks.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { countAction, readRemaining, uncount } from '../../platform/limits/counters.js'
import { orNotFound } from '../../platform/rows.js'
import { batchWrites, type Scope, sealer, transact } from '../../platform/scope.js'
import { type AccountRow, isShared } from '../holders/account.js'
import { readAccountDetails, sealAccountDetails } from '../holders/account-details.js'
import { type Proof, provenProofs } from '../holders/account-rules.js'
import type { RecordRow } from '../holders/product.js'
import { sealText } from '../records/sealing.js'
import { findRecord } from '../records/store.js'
import { updateAccount } from './change.js'
import { type Method, type SessionData, sessionData, type Verdict } from './methods/method.js'
import { methods } from './methods/registry.js'
import {
  createVerification,
  initialData,
  insertUnlessOpen,
  isOpen,
  type LockedVerification,
  lockVerification,
  methodOf,
  openVerification,
  requireCreatable,
  typeOf,
  updateVerification,
  VERIFICATION,
  verificationData,
} from './verification.js'

/** The time in ms after which a session ends if its last attempt has no result. No external call can take this long. */
const LAST_ATTEMPT_TIMEOUT_MS = 60_000

/** A locked session and its account. */
interface LockedSession {
  row: LockedVerification
  account: AccountRow | undefined
}

/**
 * Locks a session and its account until the transaction ends. Locks the account before the session, in the same order
 * as all other code. Does not return an account that is awaiting consent.
 */
async function lockSession(scope: Scope, row: RecordRow): Promise<LockedSession> {
  const query = scope.db
    .selectFrom('records')
    .innerJoin('accounts', on =>
      on.onRef('accounts.team_id', '=', 'records.team_id').onRef('accounts.id', '=', 'records.holder_id'),
    )
    .selectAll('accounts')
    .select(['records.status as session_status', 'records.data as session_data'])
    .where('records.team_id', '=', scope.team.id)
    .where('records.id', '=', row.id)
  const joined = await lockRows(scope.db, query, ['accounts', 'records']).executeTakeFirst()
  if (!joined) throw new ServiceError('NOT_FOUND')
  const { session_status, session_data, ...account } = joined
  return lockedSession(row, account, { status: session_status, data: session_data })
}

const lockedSession = (
  row: RecordRow,
  account: AccountRow,
  state: Pick<RecordRow, 'status' | 'data'>,
): LockedSession => ({
  row: { ...row, ...state, awaits_consent: account.awaits_consent },
  account: isShared(account) ? account : undefined,
})

/** Stores an open session's data without emitting an event. */
async function storeData(scope: Scope, id: string, data: SessionData): Promise<void> {
  await scope.db
    .updateTable('records')
    .set({ data: sealText(scope, id, 'data', sessionData.write(data)) })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', id)
    .execute()
}

/** Returns the number of attempts that a session has left under its own limit and the account's. */
export async function verificationAttemptsLeft(
  scope: Scope,
  account: string,
  type: string,
  { tries }: SessionData,
): Promise<number> {
  const method = methods[type]!
  const own = method.maxAttempts - tries
  return method.attemptLimit ? Math.min(own, (await readRemaining(scope, method.attemptLimit, account)).left) : own
}

/**
 * Counts an attempt to answer a session. The session is locked, so simultaneous attempts cannot exceed the limit.
 * Throws a request error if no attempts are left.
 */
async function countAttempt(scope: Scope, { row, account }: LockedSession, body: Readonly<Record<string, unknown>>) {
  const { id } = row
  if (row.status === 'verified') throw new ServiceError('EXISTING_VERIFIED_SESSION')
  if (!isOpen(row)) throw new ServiceError('INVALID_VERIFICATION_STATUS')
  const previous = verificationData(scope, row)
  const method = methodOf(row)
  const other = Object.keys(methods).find(name => name !== typeOf(row) && body[name] != null)
  if (other)
    throw new ServiceError('INVALID_REQUEST', `${other} must be omitted because the session type is ${typeOf(row)}.`)
  const answer = method.read(body[typeOf(row)], previous)
  const data = { ...previous, tries: previous.tries + 1 }
  if (data.tries > method.maxAttempts) throw new ServiceError('VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED')
  if (account?.status !== 'active') throw new ServiceError('PRODUCT_UNAVAILABLE')
  const limitUse = await takeFromLimit(scope, method, account)
  await storeData(scope, id, data)
  // Without this job, a crash before the result is stored would leave the session open: it could accept no more
  // answers, and would block new sessions.
  if (data.tries === method.maxAttempts)
    await scope.deps.jobs.enqueue(scope, {
      kind: 'avf.spent',
      payload: { record: id },
      at: scope.now + LAST_ATTEMPT_TIMEOUT_MS,
      clocked: false,
    })
  return { row, data, account, method, answer, guess: limitUse }
}

/** Counts an attempt against the account's limit. */
const takeFromLimit = async (scope: Scope, method: Method, account: AccountRow) =>
  // mutant: guesses-count-across-sessions (= null)
  method.attemptLimit && (await countAction(scope, method.attemptLimit, account.id))

/** A counted attempt to answer an open session. */
export type CountedAttempt = Awaited<ReturnType<typeof countAttempt>>

/**
 * In the caller's transaction, counts an attempt to answer the account's open session of this type, or a new session if
 * none is open. The account's row must be locked.
 * @param read returns the answer for the session, or the problems with the input
 * @param open the open session, as read together with the account; null if there was none. It may have changed while
 * the transaction waited for the account's lock
 * @returns the attempt, to be checked after the commit, or the problems
 */
export async function countFirstAttempt<Wrong>(
  scope: Scope,
  account: AccountRow,
  type: string,
  read: (data: SessionData) => Wrong[] | Readonly<Record<string, unknown>>,
  open?: RecordRow | null,
): Promise<CountedAttempt | Wrong[]> {
  const existing = open === undefined ? await openVerification(scope, account.id, type) : open
  const row = existing ? await lockVerification(scope, existing.id) : undefined
  const retry = () => countFirstAttempt(scope, account, type, read)
  if (row && isOpen(row)) {
    const input = read(verificationData(scope, row))
    return Array.isArray(input) ? input : countAttempt(scope, { row, account }, { [type]: input })
  }
  if (existing) return retry()
  const input = read(initialData(scope, account, type))
  if (Array.isArray(input)) {
    if (open === null && (await openVerification(scope, account.id, type))) return retry()
    await createVerification(scope, account, type)
    return input
  }
  const method = requireCreatable(scope, account, type)
  const answer = method.read(input, initialData(scope, account, type))
  const limitUse = await takeFromLimit(scope, method, account)
  const inserted = await insertUnlessOpen(scope, account, type, 1)
  if (inserted)
    return {
      row: { ...inserted, awaits_consent: account.awaits_consent },
      data: verificationData(scope, inserted),
      account,
      method,
      answer,
      guess: limitUse,
    }
  if (method.attemptLimit && limitUse) await uncount(scope, method.attemptLimit, account.id, limitUse)
  return retry()
}

/** Stops counting an attempt against the account's limit. */
async function returnToLimit(scope: Scope, { method, account, guess }: CountedAttempt): Promise<void> {
  if (method.attemptLimit && guess) await uncount(scope, method.attemptLimit, account.id, guess)
}

/** Refunds an attempt that got no result, because the caller learned nothing from it. */
async function refundAttempt(scope: Scope, attempt: CountedAttempt): Promise<void> {
  const { id } = attempt.row
  const row = await lockVerification(scope, id)
  await returnToLimit(scope, attempt)
  if (!row || !isOpen(row)) return
  const data = verificationData(scope, row)
  await storeData(scope, id, { ...data, tries: data.tries - 1 })
}

/**
 * Answers a session. The attempt is counted before the external call, and refunded if the external service does not
 * respond. If the process crashes during the call, the attempt remains counted. An answer that verifies the session
 * adds the session's proofs to the account. Throws OutsideError if the external service did not respond. Must not be
 * called inside a transaction.
 * @param body contains the block for the session's type
 */
export async function answerVerification(
  scope: Scope,
  id: string,
  body: Readonly<Record<string, unknown>>,
  hooks: Hooks = {},
): Promise<RecordRow> {
  const attempt = await transact(scope.deps, scope.team, async tx => {
    const row = orNotFound(await findRecord(tx, VERIFICATION, id))
    return countAttempt(tx, await lockSession(tx, row), body)
  })
  return checkAttempt(scope, attempt, hooks)
}

/** Work that the caller adds to the transaction that records an answer. */
interface Hooks {
  /**
   * Runs in the transaction that records a correct answer, and locks the rows that must be locked before the account.
   * @returns the account and the state of its session, if this call locked them too
   */
  hold?(
    tx: Scope,
    session: string,
  ): Promise<{ account: AccountRow; verification: Pick<RecordRow, 'status' | 'data'> } | undefined>
  /** Runs in the transaction that records a correct answer, and receives the updated account. */
  verified?(tx: Scope, account: AccountRow): Promise<void>
  /** Runs in the transaction that records a wrong answer. */
  refused?(tx: Scope): Promise<void>
}

/** The second half of {@link answerVerification}: checks a counted attempt after the first half has committed. */
export async function checkAttempt(
  scope: Scope,
  attempt: CountedAttempt,
  { hold, verified, refused }: Hooks = {},
): Promise<RecordRow> {
  const { deps, team } = scope
  const { method, answer, account, data } = attempt
  const { id } = attempt.row
  const check = method.check({ scope, account, data, request_id: `${id}_${data.tries}` }, answer)
  const verdict = await check.catch(async error => {
    await transact(deps, team, tx => refundAttempt(tx, attempt))
    throw error
  })
  return transact(deps, team, outer =>
    batchWrites(outer, async tx => {
      const locked = verdict.status === 'verified' ? await hold?.(tx, id) : undefined
      const { row, account: lockedAccount } = locked
        ? lockedSession(attempt.row, locked.account, locked.verification)
        : await lockSession(tx, attempt.row)
      const stored = verificationData(tx, row)
      // Other attempts may have been counted since the result was requested.
      const next = { ...stored, ...verdict.data, /* mutant: late-result-keeps-count (remove) */ tries: stored.tries }
      if (verdict.status === 'verified') {
        await returnToLimit(tx, attempt)
        const proven =
          lockedAccount && isOpen(row) ? await recordProofs(tx, lockedAccount, method.proves, verdict) : undefined
        const after = await updateVerification(tx, row, 'verified', next)
        if (proven && after.status === 'verified') await verified?.(tx, proven)
        return after
      }
      await refused?.(tx)
      const isLast = data.tries >= method.maxAttempts
      return updateVerification(
        tx,
        row,
        isLast ? 'failed' : verdict.status === 'failed' ? 'failed' : row.status,
        next,
        isLast ? resourceCodes.VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED : verdict.code,
      )
    }),
  )
}

/** Ends a session if its last attempt got no result. */
export const endUnanswered: JobHandler = {
  async run(_scope, payload) {
    return async saving => {
      const row = await lockVerification(saving, payload['record'] ?? '')
      if (!row || !isOpen(row)) return undefined
      const data = verificationData(saving, row)
      if (data.tries >= methodOf(row).maxAttempts)
        await updateVerification(saving, row, 'failed', data, resourceCodes.VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED)
      return undefined
    }
  },
}

/** Records a verified session's proofs and details in its account. */
async function recordProofs(
  scope: Scope,
  before: AccountRow,
  proves: readonly Proof[],
  { number, card }: Verdict,
): Promise<AccountRow> {
  const proven = new Set([...provenProofs.read(before.proven), ...proves])
  return updateAccount(scope, before, {
    proven: provenProofs.write([...proven]),
    verified_at: scope.now,
    ...(number === undefined
      ? {}
      : {
          number: sealer(scope).seal({ id: before.id, field: 'number' }, number),
          payable: before.payable === 'needs_number' ? 'yes' : before.payable,
        }),
    ...(card && {
      details: sealAccountDetails(scope, before.id, { ...readAccountDetails(scope, before), card }),
    }),
  })
}

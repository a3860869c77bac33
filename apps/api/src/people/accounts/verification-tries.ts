import { resourceCodes, ServiceError } from '@causeway/contract/errors'
import { locked } from '../../platform/db/row-locks.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { giveBack, remaining, take } from '../../platform/limits/counters.js'
import { type Scope, sealer, together, transact } from '../../platform/scope.js'
import { type Proof, provenProofs } from '../products/account-rules.js'
import type { RecordRow } from '../products/product.js'
import { sealText } from '../products/sealing.js'
import { findRecord } from '../products/store.js'
import type { AccountRow } from './account.js'
import { updateAccount } from './change.js'
import { readAccountDetails, sealAccountDetails } from './details.js'
import { type Method, type SessionData, sessionData, type Verdict } from './methods/method.js'
import { methods } from './methods/registry.js'
import {
  beginData,
  beginVerification,
  change,
  creatable,
  insertFirst,
  isOpen,
  lockVerification,
  methodOf,
  openVerification,
  typeOf,
  VERIFICATION,
  verificationData,
} from './verification.js'

/** The time in ms after which a session ends if its last attempt has no result. No external call can take this long. */
const LAST_TRY = 60_000

/** A locked session and its account. */
interface LockedTry {
  row: RecordRow
  account: AccountRow | undefined
}

/**
 * Locks a session and its account until the transaction ends. Locks the account before the session, in the same order
 * as all other code. Does not return an account that is awaiting consent.
 */
async function lockTry(scope: Scope, row: RecordRow): Promise<LockedTry> {
  const query = scope.db
    .selectFrom('records')
    .innerJoin('accounts', on =>
      on.onRef('accounts.team_id', '=', 'records.team_id').onRef('accounts.id', '=', 'records.holder_id'),
    )
    .selectAll('accounts')
    .select(['records.status as session_status', 'records.data as session_data'])
    .where('records.team_id', '=', scope.team.id)
    .where('records.id', '=', row.id)
  const found = await locked(scope.db, query, ['accounts', 'records']).executeTakeFirst()
  if (!found) return { row, account: undefined }
  const { session_status, session_data, ...account } = found
  return lockedTry(row, account, { status: session_status, data: session_data })
}

const lockedTry = (row: RecordRow, account: AccountRow, state: Pick<RecordRow, 'status' | 'data'>): LockedTry => ({
  row: { ...row, ...state },
  account: account.awaits_consent === null ? account : undefined,
})

/** Stores an open session's data without emitting an event. */
async function remember(scope: Scope, id: string, data: SessionData): Promise<void> {
  await scope.db
    .updateTable('records')
    .set({ data: sealText(scope, id, 'data', sessionData.write(data)) })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', id)
    .execute()
}

/** Returns the number of attempts that a session has left under its own limit and the account's. */
export async function triesLeft(scope: Scope, account: string, type: string, { tries }: SessionData): Promise<number> {
  const method = methods[type]!
  const own = method.tries - tries
  return method.guesses ? Math.min(own, (await remaining(scope, method.guesses, account)).left) : own
}

/**
 * Counts an attempt to answer a session. The session is locked, so simultaneous attempts cannot exceed the limit.
 * Throws a request error if no attempts are left.
 */
async function takeTry(scope: Scope, { row, account }: LockedTry, body: Readonly<Record<string, unknown>>) {
  const { id } = row
  if (row.status === 'verified') throw new ServiceError('EXISTING_VERIFIED_SESSION')
  if (!isOpen(row)) throw new ServiceError('INVALID_VERIFICATION_STATUS')
  const known = verificationData(scope, row)
  const method = methodOf(row)
  const other = Object.keys(methods).find(name => name !== typeOf(row) && body[name] != null)
  if (other)
    throw new ServiceError('INVALID_REQUEST', `${other} must be omitted because the session type is ${typeOf(row)}.`)
  const answer = method.read(body[typeOf(row)], known)
  const data = { ...known, tries: known.tries + 1 }
  if (data.tries > method.tries) throw new ServiceError('VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED')
  if (account?.status !== 'active') throw new ServiceError('PRODUCT_UNAVAILABLE')
  const guess = await countGuess(scope, method, account)
  await remember(scope, id, data)
  // Without this job, a crash before the result is stored would leave the session open: it could accept no more
  // answers, and would block new sessions.
  if (data.tries === method.tries)
    await scope.deps.jobs.enqueue(scope, {
      kind: 'avf.spent',
      payload: { record: id },
      at: scope.now + LAST_TRY,
      clocked: false,
    })
  return { row, data, account, method, answer, guess }
}

/** Counts an attempt against the account's limit. */
const countGuess = async (scope: Scope, method: Method, account: AccountRow) =>
  // mutant: guesses-count-across-sessions (= null)
  method.guesses && (await take(scope, method.guesses, account.id))

/** A counted attempt to answer an open session. */
export type TakenTry = Awaited<ReturnType<typeof takeTry>>

/**
 * In the caller's transaction, counts an attempt to answer the account's open session of this type, or a new session if
 * none is open. The account's row must be locked.
 * @param read returns the answer for the session, or the problems with the input
 * @param known the open session, as read together with the account; null if there was none. It may have changed while
 * the transaction waited for the account's lock
 * @returns the attempt, to be checked after the commit, or the problems
 */
export async function takeFirstTry<Wrong>(
  scope: Scope,
  account: AccountRow,
  type: string,
  read: (data: SessionData) => Wrong[] | Readonly<Record<string, unknown>>,
  known?: RecordRow | null,
): Promise<TakenTry | Wrong[]> {
  const found = known === undefined ? await openVerification(scope, account.id, type) : known
  const row = found ? await lockVerification(scope, found.id) : undefined
  const readAgain = () => takeFirstTry(scope, account, type, read)
  if (row && isOpen(row)) {
    const given = read(verificationData(scope, row))
    return Array.isArray(given) ? given : takeTry(scope, { row, account }, { [type]: given })
  }
  if (found) return readAgain()
  const given = read(beginData(scope, account, type))
  if (Array.isArray(given)) {
    if (known === null && (await openVerification(scope, account.id, type))) return readAgain()
    await beginVerification(scope, account, type)
    return given
  }
  const method = creatable(account, type)
  const answer = method.read(given, beginData(scope, account, type))
  const guess = await countGuess(scope, method, account)
  const begun = await insertFirst(scope, account, type, 1)
  if (begun) return { row: begun, data: verificationData(scope, begun), account, method, answer, guess }
  if (method.guesses && guess) await giveBack(scope, method.guesses, account.id, guess)
  return readAgain()
}

/** Stops counting an attempt against the account's limit. */
async function restore(scope: Scope, { method, account, guess }: TakenTry): Promise<void> {
  if (method.guesses && guess) await giveBack(scope, method.guesses, account.id, guess)
}

/** Refunds an attempt that got no result, because the caller learned nothing from it. */
async function refund(scope: Scope, taken: TakenTry): Promise<void> {
  const { id } = taken.row
  const row = await lockVerification(scope, id)
  await restore(scope, taken)
  if (!row || !isOpen(row)) return
  const known = verificationData(scope, row)
  await remember(scope, id, { ...known, tries: known.tries - 1 })
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
  following: Following = {},
): Promise<RecordRow> {
  const taken = await transact(scope.deps, scope.team, async tx => {
    const row = await findRecord(tx, VERIFICATION, id)
    if (!row) throw new ServiceError('NOT_FOUND')
    return takeTry(tx, await lockTry(tx, row), body)
  })
  return judgeTry(scope, taken, following)
}

/** Work that the caller adds to the transaction that records an answer. */
interface Following {
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
export async function judgeTry(
  scope: Scope,
  taken: TakenTry,
  { hold, verified, refused }: Following = {},
): Promise<RecordRow> {
  const { deps, team } = scope
  const { method, answer, account, data } = taken
  const { id } = taken.row
  const asking = method.judge({ scope, account, data, request_id: `${id}_${data.tries}` }, answer)
  const verdict = await asking.catch(async error => {
    await transact(deps, team, tx => refund(tx, taken))
    throw error
  })
  return transact(deps, team, outer =>
    together(outer, async tx => {
      const locked = verdict.status === 'verified' ? await hold?.(tx, id) : undefined
      const { row, account: held } = locked
        ? lockedTry(taken.row, locked.account, locked.verification)
        : await lockTry(tx, taken.row)
      const known = verificationData(tx, row)
      // Other attempts may have been counted since the result was requested.
      const now = { ...known, ...verdict.data, /* mutant: late-result-keeps-count (remove) */ tries: known.tries }
      if (verdict.status === 'verified') {
        await restore(tx, taken)
        const proven = held && isOpen(row) ? await accept(tx, held, method.proves, verdict) : undefined
        const after = await change(tx, row, 'verified', now)
        if (proven && after.status === 'verified') await verified?.(tx, proven)
        return after
      }
      await refused?.(tx)
      const over = data.tries >= method.tries
      return change(
        tx,
        row,
        over ? 'failed' : verdict.status === 'failed' ? 'failed' : row.status,
        now,
        over ? resourceCodes.VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED : verdict.code,
      )
    }),
  )
}

/** Ends a session if its last attempt got no result. */
export const endSpent: JobHandler = {
  async run(_scope, payload) {
    return async saving => {
      const row = await lockVerification(saving, payload['record'] ?? '')
      if (!row || !isOpen(row)) return undefined
      const data = verificationData(saving, row)
      if (data.tries >= methodOf(row).tries)
        await change(saving, row, 'failed', data, resourceCodes.VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED)
      return undefined
    }
  },
}

/** Records a verified session's proofs and details in its account. */
async function accept(
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

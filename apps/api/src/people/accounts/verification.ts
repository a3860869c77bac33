import { type ResourceErrorCode, resourceCodes, resourceError, ServiceError } from '@causeway/contract/errors'
import { emit } from '../../notify/events/store.js'
import { createId } from '../../platform/crypto/random.js'
import { writeJson } from '../../platform/db/json.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { giveBack, remaining, requireLeft, take } from '../../platform/limits/counters.js'
import { type Scope, sealer, together, transact } from '../../platform/scope.js'
import { showJson, showTime } from '../../platform/show.js'
import { isProven, type Proof } from '../products/account-rules.js'
import type { Body, RecordRow } from '../products/product.js'
import { sealText } from '../products/sealing.js'
import { findRecord, insertRecord } from '../products/store.js'
import type { AccountRow } from './account.js'
import { updateAccount } from './change.js'
import { readAccountDetails, sealAccountDetails } from './details.js'
import type { Asked, Method, SessionData, Verdict } from './methods/method.js'
import { methods } from './methods/registry.js'
import { findAccount, lockAccount } from './store.js'

export const VERIFICATION = 'account_verification_session'
const OPEN = ['pending', 'in_progress']
/** How long after the last try its session is open at most, in ms: longer than any call outside takes. */
const LAST_TRY = 60_000
const isOpen = (row: RecordRow) => OPEN.includes(row.status)

const typeOf = (row: RecordRow) => (JSON.parse(row.request) as { type: string }).type
const methodOf = (row: RecordRow) => methods[typeOf(row)]!

/** What a session knows, in clear. */
export function verificationData(scope: Scope, row: RecordRow): SessionData {
  // Of a withdrawn account nothing is left.
  if (row.data === null) return { tries: 0 }
  return JSON.parse(sealer(scope).open({ id: row.id, field: 'data' }, row.data)) as SessionData
}

function show(row: RecordRow, block: Record<string, unknown>): Body {
  const type = typeOf(row)
  return {
    id: row.id,
    account_id: row.holder_id,
    status: row.status,
    type,
    [type]: block,
    error: showJson(row.error),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

export function showVerification(scope: Scope, row: RecordRow): Body {
  return show(row, methodOf(row).show(verificationData(scope, row), row.status === 'verified'))
}

/** The same as an event may hold it. */
export const tellVerification = (scope: Scope, row: RecordRow): Body => {
  const { tell } = methodOf(row)
  return tell ? show(row, tell()) : showVerification(scope, row)
}

/** What a new session of a type knows. */
const beginData = (scope: Scope, account: AccountRow, type: string): SessionData => ({
  tries: 0,
  ...methods[type]!.begin(scope, account),
})

async function insert(
  scope: Scope,
  account: AccountRow,
  type: string,
  status: 'pending' | 'verified',
  tries = 0,
): Promise<RecordRow> {
  const id = createId(VERIFICATION, scope.now)
  const data = JSON.stringify({ ...beginData(scope, account, type), tries })
  const row = await insertRecord(scope, {
    id,
    holder_id: account.id,
    product: VERIFICATION,
    status,
    request: { type },
    sealedData: sealText(scope, id, 'data', data),
  })
  await emit(scope, 'account_verification_session.create', tellVerification(scope, row))
  return row
}

/** A session that the service itself verifies at once. @returns its id */
export async function provision(scope: Scope, account: AccountRow, type: string): Promise<string> {
  return (await insert(scope, account, type, 'verified')).id
}

/** The sessions of a type of these accounts. A session's request is its type and nothing else. */
const ofType = (scope: Scope, accounts: readonly string[], type: string) =>
  scope.db
    .selectFrom('records')
    .where('team_id', '=', scope.team.id)
    .where('holder_id', 'in', accounts)
    .where('product', '=', VERIFICATION)
    .where('request', '=', JSON.stringify({ type }))

/** Each account's session of a type that counts: the open one, else the newest. By one query. */
export async function currentVerifications(
  scope: Scope,
  accounts: readonly string[],
  type: string,
): Promise<Map<string, RecordRow>> {
  if (accounts.length === 0) return new Map()
  const newest = ofType(scope, accounts, type)
    .select(({ fn }) => fn.max('id').as('id'))
    .groupBy('holder_id')
  const rows = await ofType(scope, accounts, type)
    .selectAll()
    .where(is => is.or([is('status', 'in', OPEN), is('id', 'in', newest)]))
    .orderBy('id')
    .execute()
  // A later row replaces an earlier one, and an open one any other.
  return new Map([...rows, ...rows.filter(isOpen)].map(row => [row.holder_id, row]))
}

/** The account's open session of a type. */
export async function openVerification(scope: Scope, account: string, type: string): Promise<RecordRow | undefined> {
  return ofType(scope, [account], type)
    .selectAll()
    .where('status', 'in', OPEN)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Begins to verify an account, whose row is locked. Throws the request error that forbids it.
 * @returns the session, and the job that does what is done outside, if anything is
 */
export async function beginVerification(
  scope: Scope,
  account: AccountRow,
  type: string,
): Promise<{ row: RecordRow; job: string | null }> {
  const method = creatable(account, type)
  if (await openVerification(scope, account.id, type)) throw new ServiceError('EXISTING_VERIFICATION_SESSION')
  if (method.guesses) await requireLeft(scope, method.guesses, account.id)
  if (method.begins) await take(scope, method.begins, account.id)
  const row = await insert(scope, account, type, 'pending')
  if (!method.start) return { row, job: null }
  return {
    row,
    job: await scope.deps.jobs.enqueue(scope, { kind: 'avf.start', payload: { record: row.id }, clocked: false }),
  }
}

/** Checks that a session of a type can begin for the account. Throws the request error that forbids it. */
function creatable(account: AccountRow, type: string): Method {
  const method = Object.hasOwn(methods, type) ? methods[type]! : undefined
  if (!method?.creatable || account.status !== 'active' || !method.fits(account)) {
    const usable = Object.entries(methods).filter(([, each]) => each.creatable && each.fits(account))
    const names = usable.map(([name]) => name).join(', ')
    throw new ServiceError(
      'VERIFICATION_TYPE_NOT_SUPPORTED',
      account.status === 'active' && names ? `type can be: ${names}.` : undefined,
    )
  }
  if (method.proves.every(proof => isProven(account, proof))) throw new ServiceError('EXISTING_VERIFIED_SESSION')
  return method
}

/** Changes an open session and tells of it. A session that is over stays as it is. */
async function change(
  scope: Scope,
  row: RecordRow,
  status: string,
  data: SessionData,
  code?: ResourceErrorCode,
): Promise<RecordRow> {
  const after = await scope.db
    .updateTable('records')
    .set({
      status,
      data: sealText(scope, row.id, 'data', JSON.stringify(data)),
      error: code ? writeJson(resourceError(code)) : null,
      updated_at: scope.now,
    })
    .where('id', '=', row.id)
    .where('status', 'in', OPEN)
    .returningAll()
    .executeTakeFirst()
  if (!after) return (await findRecord(scope, VERIFICATION, row.id)) ?? row
  await emit(scope, 'account_verification_session.update', tellVerification(scope, after), tellVerification(scope, row))
  return after
}

/** The session, held until the transaction ends: tries that come together must each be counted. */
function lockVerification(scope: Scope, id: string): Promise<RecordRow | undefined> {
  const query = scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('product', '=', VERIFICATION)
    .where('id', '=', id)
  return scope.deps.store.lock(query).executeTakeFirst()
}

/** A session with its account, where its holder shares it: both held until the transaction ends. */
async function lockTry(scope: Scope, { row }: TakenTry): Promise<{ row: RecordRow; account: AccountRow | undefined }> {
  const query = scope.db
    .selectFrom('records')
    .innerJoin('accounts', 'accounts.id', 'records.holder_id')
    .selectAll('accounts')
    .select(['records.status as session_status', 'records.data as session_data'])
    .where('records.id', '=', row.id)
  const found = await (scope.deps.store.engine === 'postgres'
    ? query.forUpdate(['accounts', 'records'])
    : query
  ).executeTakeFirst()
  if (!found) return { row, account: undefined }
  const { session_status, session_data, ...account } = found
  return {
    row: { ...row, status: session_status, data: session_data },
    account: account.awaits_consent === null ? account : undefined,
  }
}

/** Keeps what an open session knows, without telling of it. */
async function remember(scope: Scope, id: string, data: SessionData): Promise<void> {
  await scope.db
    .updateTable('records')
    .set({ data: sealText(scope, id, 'data', JSON.stringify(data)) })
    .where('id', '=', id)
    .execute()
}

/** Returns the attempts that a session has left: its own, or fewer where the account's limit allows fewer. */
export async function triesLeft(scope: Scope, account: string, type: string, { tries }: SessionData): Promise<number> {
  const method = methods[type]!
  const own = method.tries - tries
  return method.guesses ? Math.min(own, (await remaining(scope, method.guesses, account)).left) : own
}

/**
 * Counts a try, so that many at once are at most as many as there are. Throws the request error that forbids it.
 * @param held the account's row, where the caller holds it
 */
async function takeTry(scope: Scope, id: string, body: Readonly<Record<string, unknown>>, held?: AccountRow) {
  const row = await lockVerification(scope, id)
  if (!row) throw new ServiceError('NOT_FOUND')
  if (row.status === 'verified') throw new ServiceError('EXISTING_VERIFIED_SESSION')
  if (!isOpen(row)) throw new ServiceError('INVALID_VERIFICATION_STATUS')
  const known = verificationData(scope, row)
  const method = methodOf(row)
  const other = Object.keys(methods).find(name => name !== typeOf(row) && body[name] != null)
  if (other)
    throw new ServiceError('INVALID_REQUEST', `${other} must be left out: the session's type is ${typeOf(row)}.`)
  const answer = method.read(body[typeOf(row)], known)
  const data = { ...known, tries: known.tries + 1 }
  if (data.tries > method.tries) throw new ServiceError('VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED')
  const account = held ?? (await lockAccount(scope, row.holder_id))
  if (account?.status !== 'active') throw new ServiceError('PRODUCT_UNAVAILABLE')
  const guess = await countGuess(scope, method, account)
  await remember(scope, id, data)
  // Should this process end before the verdict is kept, nobody could answer this session, nor begin another.
  if (data.tries === method.tries)
    await scope.deps.jobs.enqueue(scope, {
      kind: 'avf.spent',
      payload: { record: id },
      at: scope.now + LAST_TRY,
      clocked: false,
    })
  return { row, data, account, method, answer, guess }
}

/** Counts a try against the account's limit. */
const countGuess = async (scope: Scope, method: Method, account: AccountRow) =>
  method.guesses && (await take(scope, method.guesses, account.id))

/** A counted try of an open session. */
export type TakenTry = Awaited<ReturnType<typeof takeTry>>

/**
 * Counts a try of the account's open session of a type, or of a new one, in the caller's transaction. The account's row
 * is locked. @param read what was typed as the session takes it, or what is wrong with it
 * @returns the try, to be judged after the commit, or what is wrong
 */
export async function takeFirstTry<Wrong>(
  scope: Scope,
  account: AccountRow,
  type: string,
  read: (data: SessionData) => Wrong[] | Readonly<Record<string, unknown>>,
): Promise<TakenTry | Wrong[]> {
  const open = await openVerification(scope, account.id, type)
  const given = read(open ? verificationData(scope, open) : beginData(scope, account, type))
  if (Array.isArray(given)) {
    if (!open) await beginVerification(scope, account, type)
    return given
  }
  if (open) return takeTry(scope, open.id, { [type]: given }, account)
  const method = creatable(account, type)
  const answer = method.read(given, beginData(scope, account, type))
  const guess = await countGuess(scope, method, account)
  const row = await insert(scope, account, type, 'pending', 1)
  return { row, data: verificationData(scope, row), account, method, answer, guess }
}

/** Returns an attempt to the account's limit. */
async function restore(scope: Scope, { method, account, guess }: TakenTry): Promise<void> {
  if (method.guesses && guess) await giveBack(scope, method.guesses, account.id, guess)
}

/** Refunds an attempt that nobody judged: the caller learned nothing. */
async function refund(scope: Scope, taken: TakenTry): Promise<void> {
  const { id } = taken.row
  const row = await lockVerification(scope, id)
  await restore(scope, taken)
  if (!row || !isOpen(row)) return
  const known = verificationData(scope, row)
  await remember(scope, id, { ...known, tries: known.tries - 1 })
}

/**
 * Answers a session. The try is counted before anybody is asked, and given back where nobody answered: a crash between
 * costs that one. What a verified session proved is the account's from then on. Throws OutsideError where nobody
 * answered. Not to be called inside a transaction. @param body holds the block of the session's type
 */
export async function answerVerification(
  scope: Scope,
  id: string,
  body: Readonly<Record<string, unknown>>,
): Promise<RecordRow> {
  return judgeTry(scope, await transact(scope.deps, scope.team, tx => takeTry(tx, id, body)))
}

interface Proving {
  /** Holds what must be held before the account is, in the transaction that records a right answer. */
  hold?(tx: Scope): Promise<void>
  /** Runs in that transaction, with the account as it is then. */
  verified?(tx: Scope, account: AccountRow): Promise<void>
}

/**
 * The second half of {@link answerVerification}, after the commit of the first.
 */
export async function judgeTry(scope: Scope, taken: TakenTry, { hold, verified }: Proving = {}): Promise<RecordRow> {
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
      if (verdict.status === 'verified') await hold?.(tx)
      const { row, account: held } = await lockTry(tx, taken)
      const known = verificationData(tx, row)
      // What was judged is a while old: other tries may have been counted since.
      const now = { ...known, ...verdict.data, tries: known.tries }
      if (verdict.status === 'verified') {
        await restore(tx, taken)
        const proven = held && isOpen(row) ? await accept(tx, held, method.proves, verdict) : undefined
        const after = await change(tx, row, 'verified', now)
        if (proven && after.status === 'verified') await verified?.(tx, proven)
        return after
      }
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

/** Ends a session whose last try had no verdict. */
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

/** What a verified session changes of its account. */
async function accept(
  scope: Scope,
  before: AccountRow,
  proves: readonly Proof[],
  { number, card }: Verdict,
): Promise<AccountRow> {
  const proven = new Set([...(JSON.parse(before.proven) as Proof[]), ...proves])
  return updateAccount(scope, before, {
    proven: JSON.stringify([...proven]),
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

/** Does what a session's type does outside once it has begun. */
export const startVerification: JobHandler = {
  async run(scope, payload) {
    const row = await findRecord(scope, VERIFICATION, payload['record'] ?? '')
    const account = row && (await findAccount(scope, row.holder_id))
    const start = row && methodOf(row).start
    if (!row || !account || !start || row.status !== 'pending') return async () => undefined
    const asked: Asked = { scope, account, data: verificationData(scope, row), request_id: row.id }
    const done = await start(asked)
    return async saving => {
      const now = await lockVerification(saving, row.id)
      if (now?.status !== 'pending') return undefined
      if (done.status === 'sent') await change(saving, now, 'in_progress', verificationData(saving, now))
      else await change(saving, now, 'failed', verificationData(saving, now), done.code)
      return undefined
    }
  },
  async exhausted(scope, payload) {
    const row = await lockVerification(scope, payload['record'] ?? '')
    if (row?.status === 'pending')
      await change(scope, row, 'failed', verificationData(scope, row), resourceCodes.MICRO_DEPOSITS_FAILED)
  },
}

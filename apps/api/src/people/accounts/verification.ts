import { type ResourceErrorCode, resourceError, ServiceError } from '@causeway/contract/errors'
import { DAY_MS } from '@causeway/contract/time'
import { type OperandExpression, sql } from 'kysely'
import { emit } from '../../notify/emit.js'
import { createId } from '../../platform/crypto/random.js'
import { readJson, writeJson } from '../../platform/db/json.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { countAction, rejectIfLimitReached } from '../../platform/limits/counters.js'
import { findRow } from '../../platform/rows.js'
import { type Scope, sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { type AccountRow, isShared } from '../holders/account.js'
import { isProven } from '../holders/account-rules.js'
import type { Body, RecordRow } from '../holders/product.js'
import { sealText } from '../records/sealing.js'
import { findRecord, insertRecord, insertUnless } from '../records/store.js'
import { type Attempt, type Method, type SessionData, sessionData } from './methods/method.js'
import { methods } from './methods/registry.js'

export const VERIFICATION = 'account_verification_session'
/** The job that checks whether what a session sent has come back. */
export const FOLLOW_JOB = 'avf.follow'
const OPEN = ['pending', 'in_progress']
export const isOpen = (row: RecordRow) => OPEN.includes(row.status)

const verificationRequest = jsonColumn<{ type: string }>('records.request')
export const typeOf = (row: RecordRow) => verificationRequest.read(row.request).type
export const methodOf = (row: RecordRow) => methods[typeOf(row)]!

/** Returns a session's state in plain text. */
export function verificationData(scope: Scope, row: RecordRow): SessionData {
  // A withdrawn account's session data has been erased.
  if (row.data === null) return { tries: 0 }
  return sessionData.read(sealer(scope).open({ id: row.id, field: 'data' }, row.data))
}

function show(row: RecordRow, block: Record<string, unknown>): Body {
  const type = typeOf(row)
  return {
    id: row.id,
    account_id: row.holder_id,
    status: row.status,
    type,
    [type]: block,
    error: readJson('records.error', row.error),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

export function showVerification(scope: Scope, row: RecordRow): Body {
  return show(row, methodOf(row).show(verificationData(scope, row), row.status === 'verified'))
}

/** Returns a session in its event format. */
export const showVerificationEvent = (scope: Scope, row: RecordRow): Body => {
  const { showInEvent } = methodOf(row)
  return showInEvent ? show(row, showInEvent()) : showVerification(scope, row)
}

/** Returns the state of a new session of this type. */
export const initialData = (scope: Scope, account: AccountRow, type: string): SessionData => ({
  tries: 0,
  ...methods[type]!.begin(scope, account),
})

/** Builds the record of a new session. */
function newVerification(scope: Scope, account: AccountRow, type: string, status: 'pending' | 'verified', tries = 0) {
  const id = createId(VERIFICATION, scope.now)
  const data = sessionData.write({ ...initialData(scope, account, type), tries })
  return {
    id,
    holder_id: account.id,
    product: VERIFICATION,
    status,
    request: { type },
    sealedData: sealText(scope, id, 'data', data),
  }
}

async function emitNew(scope: Scope, account: AccountRow, row: RecordRow): Promise<void> {
  // mutant: no-new-verification-of-hidden-accounts (true)
  if (isShared(account)) await emit(scope, 'account_verification_session.create', showVerificationEvent(scope, row))
}

async function insert(
  scope: Scope,
  account: AccountRow,
  type: string,
  status: 'pending' | 'verified',
): Promise<RecordRow> {
  const row = await insertRecord(scope, newVerification(scope, account, type, status))
  await emitNew(scope, account, row)
  return row
}

/**
 * Creates a session whose first attempts have already been counted. The account's row must be locked.
 * @returns undefined if the account already has an open session of this type
 */
export async function insertUnlessOpen(
  scope: Scope,
  account: AccountRow,
  type: string,
  tries: number,
): Promise<RecordRow | undefined> {
  const open = ofType(scope, account.id, type).select('id').where('status', 'in', OPEN)
  const row = await insertUnless(scope, newVerification(scope, account, type, 'pending', tries), open)
  if (row) await emitNew(scope, account, row)
  return row
}

/**
 * Creates a session that the service verifies immediately.
 * @returns its id
 */
export async function insertVerified(scope: Scope, account: AccountRow, type: string): Promise<string> {
  return (await insert(scope, account, type, 'verified')).id
}

const requestOf = (type: string) => verificationRequest.write({ type })

/** Selects an account's sessions of this type. Compares the entire `request` column, which contains only the type. */
const ofType = (scope: Scope, account: string, type: string) =>
  scope.db
    .selectFrom('records')
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', account)
    .where('product', '=', VERIFICATION)
    .where('request', '=', requestOf(type))

/**
 * Selects the ids of all open sessions of these accounts, and of each account's latest session of this type.
 * @param accounts selects the accounts' ids
 */
export function verificationIds(scope: Scope, accounts: OperandExpression<string>, type: string) {
  const sessions = scope.db
    .selectFrom('records')
    .where('team_id', '=', scope.team.id)
    .where('holder_id', 'in', accounts)
    .where('product', '=', VERIFICATION)
  return sessions
    .select('id')
    .where('status', 'in', OPEN)
    .union(sessions.select(sql<string>`max(id)`.as('id')).where('request', '=', requestOf(type)).groupBy('holder_id'))
}

/** Returns the current session of this type from an account's sessions, which must be sorted by id. */
export function currentVerification(rows: readonly RecordRow[], type: string): RecordRow | null {
  const sessions = rows.filter(row => row.request === requestOf(type))
  return sessions.filter(isOpen).at(-1) ?? sessions.at(-1) ?? null
}

/** Finds the account's open session of this type. */
export async function openVerification(scope: Scope, account: string, type: string): Promise<RecordRow | undefined> {
  return ofType(scope, account, type)
    .selectAll()
    .where('status', 'in', OPEN)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Starts verifying an account. The account's row must be locked. Throws a request error if verification can't start.
 * @returns the session, and the job that makes its external calls, if any
 */
export async function createVerification(
  scope: Scope,
  account: AccountRow,
  type: string,
): Promise<{ row: RecordRow; job: string | null }> {
  const method = requireCreatable(scope, account, type)
  if (await openVerification(scope, account.id, type)) throw new ServiceError('EXISTING_VERIFICATION_SESSION')
  if (method.attemptLimit) await rejectIfLimitReached(scope, method.attemptLimit, account.id)
  // mutant: deposits-are-limited (remove)
  if (method.sessionLimit) await countAction(scope, method.sessionLimit, account.id)
  const row = await insert(scope, account, type, 'pending')
  if (!method.start) return { row, job: null }
  return {
    row,
    job: await scope.deps.jobs.enqueue(scope, { kind: 'avf.start', payload: { record: row.id }, clocked: false }),
  }
}

/**
 * Returns the method for a session of this type. Throws a request error if the account can't start such a session.
 */
export function requireCreatable({ deps }: Pick<Scope, 'deps'>, account: AccountRow, type: string): Method {
  const method = Object.hasOwn(methods, type) ? methods[type]! : undefined
  const reasonOf = (name: string) => deps.capabilities.missing('account_method', name)
  const isOffered = method?.creatable && account.status === 'active' && method.appliesTo(account)
  const reason = isOffered ? reasonOf(type) : null
  // mutant: unserved-verification-is-refused (drop 2)
  if (!isOffered || reason !== null) {
    const usable = Object.entries(methods).filter(
      ([name, each]) => each.creatable && each.appliesTo(account) && reasonOf(name) === null,
    )
    const names = usable.map(([name]) => name).join(', ')
    throw new ServiceError(
      'VERIFICATION_TYPE_NOT_SUPPORTED',
      reason ?? (account.status === 'active' && names ? `type must be one of: ${names}.` : undefined),
    )
  }
  if (method.proves.every(proof => isProven(account, proof))) throw new ServiceError('EXISTING_VERIFIED_SESSION')
  return method
}

/** A locked session, and whether its account is shared. */
export type LockedVerification = RecordRow & Pick<AccountRow, 'awaits_consent'>

/**
 * Updates an open session and emits its event, unless the session's account is not shared. A finished session is left
 * unchanged.
 */
export async function updateVerification(
  scope: Scope,
  row: LockedVerification,
  status: string,
  data: SessionData,
  code?: ResourceErrorCode,
): Promise<RecordRow> {
  const after = await scope.db
    .updateTable('records')
    .set({
      status,
      data: sealText(scope, row.id, 'data', sessionData.write(data)),
      error: code ? writeJson(resourceError(code)) : null,
      updated_at: scope.now,
    })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', row.id)
    .where('status', 'in', OPEN)
    .returningAll()
    .executeTakeFirst()
  if (!after) return (await findRecord(scope, VERIFICATION, row.id)) ?? row
  // mutant: no-verification-events-of-hidden-accounts (true)
  if (isShared(row))
    await emit(
      scope,
      'account_verification_session.update',
      showVerificationEvent(scope, after),
      showVerificationEvent(scope, row),
    )
  return after
}

/**
 * Locks a session until the transaction ends, so that simultaneous attempts are all counted. Also locks its account, so
 * that its person can't stop sharing it until then.
 */
export function lockVerification(scope: Scope, id: string): Promise<LockedVerification | undefined> {
  const query = scope.db
    .selectFrom('accounts')
    .innerJoin('records', on =>
      on.onRef('records.team_id', '=', 'accounts.team_id').onRef('records.holder_id', '=', 'accounts.id'),
    )
    .selectAll('records')
    .select('accounts.awaits_consent')
    .where('records.team_id', '=', scope.team.id)
    .where('records.product', '=', VERIFICATION)
    .where('records.id', '=', id)
  return lockRows(scope.db, query, ['accounts', 'records']).executeTakeFirst()
}

/** Runs a session's job again the next day, because the person may share the account again. */
export const waitUntilShared = async (saving: Scope) => ({ again: saving.now + DAY_MS })

/** Makes a new session's external calls. Waits while the session's account is not shared. */
export const startVerification: JobHandler = {
  async run(scope, payload) {
    const row = await findRecord(scope, VERIFICATION, payload['record'] ?? '')
    const account = row && (await findRow(scope, 'accounts', row.holder_id))
    const start = row && methodOf(row).start
    if (!row || !account || !start || row.status !== 'pending') return async () => undefined
    if (!isShared(account)) return waitUntilShared
    const attempt: Attempt = { scope, account, data: verificationData(scope, row), request_id: row.id }
    const result = await start.run(attempt)
    return async saving => {
      const current = await lockVerification(saving, row.id)
      if (current?.status !== 'pending') return undefined
      const data = verificationData(saving, current)
      if (result.status === 'failed') await updateVerification(saving, current, 'failed', data, result.code)
      else {
        await updateVerification(saving, current, 'in_progress', data)
        // A job of its own, because the sandbox clock does not move this one.
        if (result.next_at !== undefined)
          await saving.deps.jobs.enqueue(saving, { kind: FOLLOW_JOB, payload, at: result.next_at })
      }
      return undefined
    }
  },
  async exhausted(scope, payload) {
    const row = await lockVerification(scope, payload['record'] ?? '')
    if (row?.status === 'pending')
      await updateVerification(scope, row, 'failed', verificationData(scope, row), methodOf(row).start?.unreachable)
  },
}

import { type ResourceErrorCode, resourceError, ServiceError } from '@causeway/contract/errors'
import { createId } from '../crypto/random.js'
import { emit } from '../events/store.js'
import type { RecordRow } from '../products/product.js'
import { findRecord, insertRecord, pointers } from '../products/store.js'
import { type Scope, sealer, transact } from '../scope.js'
import { showJson, showTime } from '../show.js'
import type { AccountRow } from './account.js'
import { showAccount } from './show.js'
import { lockAccount } from './store.js'

export const VERIFICATION = 'account_verification_session'
/** How often a number can be tried. */
export const NUMBER_TRIES = 5

type Type = 'standard' | 'auto_verify'
interface Data {
  tries: number
  /** Whether a number is known; the number itself is the account's. */
  number: boolean
}

const typeOf = (row: RecordRow) => (JSON.parse(row.request) as { type: Type }).type
export const verificationData = (row: RecordRow) => JSON.parse(row.data ?? '{"tries":0,"number":false}') as Data

export function showVerification(row: RecordRow): Record<string, unknown> & { id: string } {
  const type = typeOf(row)
  return {
    id: row.id,
    account_id: row.holder_id,
    status: row.status,
    type,
    [type]: type === 'standard' ? { number: verificationData(row).number ? 'xxxxxxxxxxxxxxxx' : null } : {},
    error: showJson(row.error),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

/** A session that the service itself verifies at once. @returns its id */
export async function provision(scope: Scope, account: AccountRow, type: Type): Promise<string> {
  const row = await insertRecord(scope, {
    id: createId(VERIFICATION, scope.now),
    holder_id: account.id,
    product: VERIFICATION,
    status: 'verified',
    request: { type },
  })
  await emit(scope, 'account_verification_session.create', showVerification(row))
  return row.id
}

/** Begins to verify an account's number. Throws the request error that forbids it. */
export async function beginVerification(scope: Scope, account: AccountRow, type: string): Promise<RecordRow> {
  if (type !== 'standard')
    throw new ServiceError('VERIFICATION_TYPE_NOT_SUPPORTED', 'type must be standard for this account.')
  if (account.type !== 'liability' || account.status !== 'active' || account.reference === null)
    throw new ServiceError('VERIFICATION_TYPE_NOT_SUPPORTED')
  const earlier = await latestVerification(scope, account.id)
  if (earlier?.status === 'verified') throw new ServiceError('EXISTING_VERIFIED_SESSION')
  if (earlier?.status === 'pending') throw new ServiceError('EXISTING_VERIFICATION_SESSION')
  const row = await insertRecord(scope, {
    id: createId(VERIFICATION, scope.now),
    holder_id: account.id,
    product: VERIFICATION,
    status: 'pending',
    request: { type },
    data: { tries: 0, number: account.number !== null } satisfies Data,
  })
  await emit(scope, 'account_verification_session.create', showVerification(row))
  return row
}

export async function latestVerification(scope: Scope, account: string): Promise<RecordRow | undefined> {
  const id = (await pointers(scope, [account])).get(account)?.[VERIFICATION]
  return id === undefined ? undefined : findRecord(scope, VERIFICATION, id)
}

async function finish(
  scope: Scope,
  row: RecordRow,
  status: 'pending' | 'verified' | 'failed',
  data: Data,
  code?: ResourceErrorCode,
): Promise<RecordRow> {
  const after = await scope.db
    .updateTable('records')
    .set({
      status,
      data: JSON.stringify(data),
      error: code ? JSON.stringify(resourceError(code)) : null,
      updated_at: scope.now,
    })
    .where('id', '=', row.id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()
  if (!after) return (await findRecord(scope, VERIFICATION, row.id)) ?? row
  await emit(scope, 'account_verification_session.update', showVerification(after), showVerification(row))
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

/**
 * Tries a number. The try is counted before the institution is asked; a verified one is kept sealed and makes the account
 * payable. Not to be called inside a transaction. @param number digits alone
 */
export async function tryNumber(scope: Scope, id: string, number: string): Promise<RecordRow> {
  const { deps, team } = scope
  const taken = await transact(deps, team, async tx => {
    const row = await lockVerification(tx, id)
    if (!row) throw new ServiceError('NOT_FOUND')
    if (row.status === 'verified') throw new ServiceError('EXISTING_VERIFIED_SESSION')
    if (row.status !== 'pending') throw new ServiceError('INVALID_VERIFICATION_STATUS')
    const data = { ...verificationData(row), tries: verificationData(row).tries + 1 }
    if (data.tries > NUMBER_TRIES) throw new ServiceError('VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED')
    const account = await lockAccount(tx, row.holder_id)
    if (account?.status !== 'active') throw new ServiceError('PRODUCT_UNAVAILABLE')
    await tx.db
      .updateTable('records')
      .set({ data: JSON.stringify(data) })
      .where('id', '=', id)
      .execute()
    return { row, data, account }
  })
  const verdict = await deps.ports.network.verifyNumber({
    request_id: `${id}_${taken.data.tries}`,
    team_id: team.id,
    now: scope.now,
    account: taken.account.reference ?? '',
    number,
  })
  return transact(deps, team, async tx => {
    const row = (await lockVerification(tx, id)) ?? taken.row
    const data = { ...verificationData(row), number: verdict.status === 'verified' }
    if (verdict.status === 'verified') {
      const account = await lockAccount(tx, row.holder_id)
      if (account) await accept(tx, account, number)
      return finish(tx, row, 'verified', data)
    }
    const over = data.tries >= NUMBER_TRIES
    return finish(tx, row, over || verdict.code === 16001 ? 'failed' : 'pending', data, over ? 16003 : verdict.code)
  })
}

async function accept(scope: Scope, before: AccountRow, number: string): Promise<void> {
  const row = await scope.db
    .updateTable('accounts')
    .set({
      number: sealer(scope).seal({ id: before.id, field: 'number' }, number),
      payable: 'yes',
      verified_at: scope.now,
      updated_at: scope.now,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const latest = (await pointers(scope, [row.id])).get(row.id) ?? {}
  await emit(scope, 'account.update', showAccount(scope, row, latest), showAccount(scope, before, latest))
}

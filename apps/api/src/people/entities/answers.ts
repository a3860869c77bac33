/** Handles answers to a session: counts the attempt before the external call, and stores the result after the call. */

import { resourceCodes, ServiceError } from '@causeway/contract/errors'
import { lockRows } from '../../platform/db/row-locks.js'
import { countAction, uncount } from '../../platform/limits/counters.js'
import type { Remaining } from '../../platform/limits/limit.js'
import { orNotFound } from '../../platform/rows.js'
import { batchWrites, type Scope, transact } from '../../platform/scope.js'
import type { EntityRow } from '../holders/entity.js'
import type { RecordRow } from '../holders/product.js'
import { findEntity } from '../holders/store.js'
import { dataOf, type Method, sessionData } from './methods/method.js'
import {
  applyVerdict,
  methodOf,
  recordVerdict,
  SESSION,
  type SessionAndEntity,
  VERIFICATION_SESSION_LIFETIME_MS,
  type VerdictHooks,
} from './sessions.js'

/** Locks the team's session until the transaction ends. Throws NOT_FOUND. */
async function lockSession(scope: Scope, id: string): Promise<RecordRow> {
  const query = scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('product', '=', SESSION)
    .where('id', '=', id)
  return orNotFound(await lockRows(scope.db, query).executeTakeFirst())
}

/** Stores the number of attempts that an open session has used. */
async function storeTries(scope: Scope, row: RecordRow, tries: number): Promise<RecordRow> {
  return scope.db
    .updateTable('records')
    .set({ data: sessionData.write({ ...dataOf(row), tries }) })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Checks an answer to a session. The attempt is counted in a transaction before any external call, so that the limit
 * also applies to simultaneous answers. The attempt is refunded if the external service does not respond, because the
 * caller learned nothing. A correct answer does not count against the entity's limit. Throws OutsideError if the
 * external service did not respond, INVALID_REQUEST for a malformed answer, and LimitError if the entity has no
 * attempts left. Must not be called inside a transaction.
 */
export async function answerSession(scope: Scope, id: string, block: Record<string, unknown>): Promise<RecordRow> {
  const counted = await transact(scope.deps, scope.team, tx => countAnswerAttempt(tx, id, block))
  return checkCountedAnswer(scope, counted)
}

/** An answer that was counted as an attempt, or only the session's row if the session accepts no answer. */
export type CountedAnswer =
  | { ready: false; row: RecordRow }
  | {
      ready: true
      row: RecordRow
      method: Method
      entity: EntityRow
      answer: unknown
      /** True if no attempts remain after this one. */
      isLast: boolean
      limitUse: Remaining | undefined
    }

/**
 * The first half of {@link answerSession}: counts the attempt in the caller's transaction.
 * @param locked the session and its entity, if the caller has locked the session's row
 */
export async function countAnswerAttempt(
  tx: Scope,
  id: string,
  block: Record<string, unknown>,
  locked?: SessionAndEntity,
): Promise<CountedAnswer> {
  const row = locked?.row ?? (await lockSession(tx, id))
  const method = methodOf(row)
  if (row.status !== 'in_progress' || !method.check) return { row, ready: false }
  if (tx.now >= row.created_at + VERIFICATION_SESSION_LIFETIME_MS)
    return {
      row: await applyVerdict(tx, row, {
        status: 'failed',
        data: {},
        code: resourceCodes.VERIFICATION_SESSION_EXPIRED,
      }),
      ready: false,
    }
  const answer = method.read?.(block)
  const tries = dataOf(row).tries + 1
  if (tries > method.maxAttempts) throw new ServiceError('VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED')
  // mutant: answers-count-across-frames (= null)
  const limitUse = method.attemptLimit && (await countAction(tx, method.attemptLimit, row.holder_id))
  const session = await storeTries(tx, row, tries)
  const entity = locked?.entity ?? (await findEntity(tx, row.holder_id))!
  const isLast = tries >= method.maxAttempts || limitUse?.left === 0
  return { row: session, method, ready: true, entity, answer, isLast, limitUse }
}

/**
 * The second half of {@link answerSession}: checks a counted attempt after the first half has committed.
 * @param hooks work to do in the transaction that records the answer
 */
export async function checkCountedAnswer(
  scope: Scope,
  counted: CountedAnswer,
  hooks: VerdictHooks = {},
): Promise<RecordRow> {
  if (!counted.ready) return counted.row
  const { deps, team } = scope
  const { method, entity, answer, isLast, limitUse } = counted
  const { id } = counted.row
  const returnToLimit = async (tx: Scope) => {
    if (method.attemptLimit && limitUse) await uncount(tx, method.attemptLimit, entity.id, limitUse)
  }
  const verdict = await method.check!(scope, entity, counted.row, answer, isLast).catch(async error => {
    await transact(deps, team, async tx => {
      const row = await lockSession(tx, id)
      if (row.status === 'in_progress') await storeTries(tx, row, dataOf(row).tries - 1)
      await returnToLimit(tx)
    })
    throw error
  })
  return transact(deps, team, outer =>
    batchWrites(outer, tx => recordVerdict(tx, counted.row, verdict, hooks, () => returnToLimit(tx))),
  )
}

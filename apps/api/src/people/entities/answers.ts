/** Handles answers to a session: counts the attempt before the external call, and stores the result after the call. */
import { resourceCodes, ServiceError } from '@causeway/contract/errors'
import { locked } from '../../platform/db/row-locks.js'
import { giveBack, take } from '../../platform/limits/counters.js'
import type { Remaining } from '../../platform/limits/limit.js'
import { type Scope, together, transact } from '../../platform/scope.js'
import type { RecordRow } from '../products/product.js'
import type { EntityRow } from './entity.js'
import { dataOf, type Method, sessionData } from './methods/method.js'
import { judge, judgeProof, methodOf, type Proving, SESSION, SESSION_LIFE, type Subject } from './sessions.js'
import { findEntity } from './store.js'

/** Locks the team's session until the transaction ends. Throws NOT_FOUND. */
async function lockSession(scope: Scope, id: string): Promise<RecordRow> {
  const query = scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('product', '=', SESSION)
    .where('id', '=', id)
  const row = await locked(scope.db, query).executeTakeFirst()
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** Stores the number of attempts that an open session has used. */
async function countTries(scope: Scope, row: RecordRow, tries: number): Promise<RecordRow> {
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
  const taken = await transact(scope.deps, scope.team, tx => takeAnswer(tx, id, block))
  return judgeAnswer(scope, taken)
}

/** An answer that was counted as an attempt, or only the session's row if the session accepts no answer. */
export type TakenAnswer =
  | { ready: false; row: RecordRow }
  | {
      ready: true
      row: RecordRow
      method: Method
      entity: EntityRow
      answer: unknown
      /** True if no attempts remain after this one. */
      last: boolean
      guess: Remaining | undefined
    }

/**
 * The first half of {@link answerSession}: counts the attempt in the caller's transaction.
 * @param held the session and its entity, if the caller has locked the session's row
 */
export async function takeAnswer(
  tx: Scope,
  id: string,
  block: Record<string, unknown>,
  held?: Subject,
): Promise<TakenAnswer> {
  const row = held?.row ?? (await lockSession(tx, id))
  const method = methodOf(row)
  if (row.status !== 'in_progress' || !method.check) return { row, ready: false }
  if (tx.now >= row.created_at + SESSION_LIFE)
    return {
      row: await judge(tx, row, { status: 'failed', data: {}, code: resourceCodes.VERIFICATION_SESSION_EXPIRED }),
      ready: false,
    }
  const answer = method.read?.(block)
  const tries = dataOf(row).tries + 1
  if (tries > method.tries) throw new ServiceError('VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED')
  // mutant: answers-count-across-frames (= null)
  const guess = method.guesses && (await take(tx, method.guesses, row.holder_id))
  const counted = await countTries(tx, row, tries)
  const entity = held?.entity ?? (await findEntity(tx, row.holder_id))!
  const last = tries >= method.tries || guess?.left === 0
  return { row: counted, method, ready: true, entity, answer, last, guess }
}

/**
 * The second half of {@link answerSession}: checks a counted attempt after the first half has committed.
 * @param proving work to do in the transaction that records the answer
 */
export async function judgeAnswer(scope: Scope, taken: TakenAnswer, proving: Proving = {}): Promise<RecordRow> {
  if (!taken.ready) return taken.row
  const { deps, team } = scope
  const { method, entity, answer, last, guess } = taken
  const { id } = taken.row
  const restore = async (tx: Scope) => {
    if (method.guesses && guess) await giveBack(tx, method.guesses, entity.id, guess)
  }
  const verdict = await method.check!(scope, entity, taken.row, answer, last).catch(async error => {
    await transact(deps, team, async tx => {
      const row = await lockSession(tx, id)
      if (row.status === 'in_progress') await countTries(tx, row, dataOf(row).tries - 1)
      await restore(tx)
    })
    throw error
  })
  return transact(deps, team, outer =>
    together(outer, tx => judgeProof(tx, taken.row, verdict, proving, () => restore(tx))),
  )
}

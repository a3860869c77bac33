import { resourceCodes, resourceError, ServiceError } from '@causeway/contract/errors'
import { emit } from '../../notify/events/store.js'
import { createId } from '../../platform/crypto/random.js'
import { writeJson } from '../../platform/db/json.js'
import { giveBack, take } from '../../platform/limits/counters.js'
import type { Remaining } from '../../platform/limits/limit.js'
import { type Scope, together, transact } from '../../platform/scope.js'
import { showJson, showTime } from '../../platform/show.js'
import type { RecordRow } from '../products/product.js'
import { findRecord, insertRecord } from '../products/store.js'
import { type EntityRow, methods, typedOf } from './entity.js'
import type { Method, SessionData, Verdict } from './methods/method.js'
import { methodsByName } from './methods/registry.js'
import { findEntity, lockEntity, updateEntity } from './store.js'

export const SESSION = 'entity_verification_session'
/** A session's lifetime: ten minutes of the team's time. Source: contract. */
export const SESSION_LIFE = 600_000

type Request = { type: 'phone' | 'identity'; method: string }
export const requestOf = (row: RecordRow) => JSON.parse(row.request) as Request
export const dataOf = (row: RecordRow) => JSON.parse(row.data ?? '{"tries":0}') as SessionData
export const methodOf = (row: RecordRow): Method => methodsByName[requestOf(row).method]!

export function showSession(row: RecordRow): Record<string, unknown> & { id: string } {
  const { type, method } = requestOf(row)
  return {
    id: row.id,
    entity_id: row.holder_id,
    status: row.status,
    type,
    method,
    [method]: methodOf(row).show(dataOf(row), row.status === 'verified'),
    error: showJson(row.error),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

/** Describes who starts a session. */
interface Beginning {
  /**
   * True if the person starts the session in the frame: it can then start even if the phone or identity is already
   * proven, and the caller settles the job.
   */
  inFrame?: boolean
  /** The person's network address, if known. */
  address?: string | undefined
}

/** The facts that a session's creator passes to the session's job. */
export interface Subject {
  row: RecordRow
  entity: EntityRow
}

/**
 * Starts proving a phone or an identity.
 * @returns the session, the updated entity, and the job that makes the external call
 */
export async function beginSession(
  scope: Scope,
  entity: EntityRow,
  type: 'phone' | 'identity',
  name: string,
  block: Record<string, unknown>,
  { inFrame = false, address }: Beginning = {},
): Promise<Subject & { job: string | null; waits: boolean }> {
  const method = methodsByName[name]
  if (entity.type !== 'individual') throw new ServiceError('INVALID_ENTITY_TYPE')
  const proven = type === 'phone' ? entity.phone_verified_at : entity.identity_verified_at
  if (proven !== null && !inFrame) throw new ServiceError('EXISTING_VERIFIED_SESSION')
  const usable = inFrame ? [name] : methods(scope.team, entity)[type]
  if (entity.status === 'disabled')
    throw new ServiceError('UNAUTHORIZED_VERIFICATION_METHOD', 'A disabled entity cannot be verified.')
  if (!method || method.type !== type || !usable.includes(name))
    throw new ServiceError(
      'UNAUTHORIZED_VERIFICATION_METHOD',
      `This entity's ${type} can be verified by: ${usable.filter(known => known in methodsByName).join(', ') || 'nothing'}.`,
    )
  const verdict = await method.begin(scope, entity, block, address)
  const row = await insertRecord(scope, {
    id: createId(SESSION, scope.now),
    holder_id: entity.id,
    product: SESSION,
    status: 'in_progress',
    request: { type, method: name },
    data: { tries: 0, ...verdict.data },
    // The entity's own columns point to its sessions.
    pointed: false,
  })
  await emit(scope, 'entity_verification_session.create', showSession(row))
  const named = await updateEntity(
    scope,
    entity,
    type === 'phone' ? { phone_session: row.id } : { identity_session: row.id },
  )
  if (verdict.status === 'verified')
    return { row: await judge(scope, row, verdict), entity: named, job: null, waits: false }
  await scope.deps.jobs.enqueue(scope, {
    kind: 'evf.expire',
    payload: { record: row.id },
    at: scope.now + SESSION_LIFE,
  })
  const waits = method.ask?.waits ?? false
  const job = method.ask
    ? await scope.deps.jobs.enqueue(scope, {
        kind: 'evf.ask',
        payload: { record: row.id },
        clocked: false,
        ...(waits || inFrame ? { awaited: true, facts: { row, entity: named } satisfies Subject } : {}),
      })
    : null
  return { row, entity: named, job, waits }
}

/**
 * Stores a result once and applies it to the entity.
 * @param row the session as it was read, with or without a lock; it is reread if it has changed since
 * @param held the session's entity, if the caller has locked it
 * @param proven called with the updated entity if this result proves its phone or identity
 */
export async function judge(
  scope: Scope,
  row: RecordRow,
  verdict: Verdict,
  held?: EntityRow,
  proven?: (entity: EntityRow) => void,
): Promise<RecordRow> {
  const after = await scope.db
    .updateTable('records')
    .set({
      status: verdict.status,
      data: JSON.stringify({ ...dataOf(row), ...verdict.data }),
      error: verdict.code ? writeJson(resourceError(verdict.code)) : null,
      updated_at: scope.now,
    })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', row.id)
    .where('status', '=', 'in_progress')
    .where('data', row.data === null ? 'is' : '=', row.data)
    .returningAll()
    .executeTakeFirst()
  if (!after) {
    const now = await findRecord(scope, SESSION, row.id)
    return now?.status === 'in_progress' ? judge(scope, now, verdict, held, proven) : (now ?? row)
  }
  await emit(scope, 'entity_verification_session.update', showSession(after), showSession(row))
  const entity = verdict.status === 'verified' ? (held ?? (await lockEntity(scope, row.holder_id))) : undefined
  if (entity) {
    const phone = requestOf(row).type === 'phone'
    const known = await updateEntity(
      scope,
      entity,
      phone
        ? {
            phone_verified_at: entity.phone_verified_at ?? scope.now,
            phone_proved_at: scope.now,
            phone_session: row.id,
            typed: JSON.stringify([...typedOf(entity)].filter(name => name !== 'phone')),
          }
        : { identity_verified_at: scope.now, identity_session: row.id, typed: '[]' },
    )
    proven?.(known)
  }
  return after
}

/** Finds an entity's open session with knowledge questions, if any. */
export function openQuestions(scope: Scope, entity: string): Promise<RecordRow | undefined> {
  return scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', entity)
    .where('product', '=', SESSION)
    .where('status', '=', 'in_progress')
    .where('created_at', '>', scope.now - SESSION_LIFE)
    .where('request', '=', JSON.stringify({ type: 'identity', method: 'kba' }))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Ends an entity's open sessions, because they were started for details that have since been replaced. */
async function endSessions(scope: Scope, entity: string): Promise<void> {
  const open = await scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', entity)
    .where('product', '=', SESSION)
    .where('status', '=', 'in_progress')
    .execute()
  for (const row of open)
    await judge(scope, row, { status: 'failed', data: {}, code: resourceCodes.VERIFICATION_SESSION_EXPIRED })
}

/**
 * Handles the replacement of an entity's unproven details; the entity's row must be locked. Removes the match that was
 * based on the old details, and ends the sessions so that a code or answer for the old details can't prove the new
 * ones.
 * @returns the columns that change
 */
export async function forgetMatch(scope: Scope, row: EntityRow): Promise<Partial<EntityRow>> {
  await endSessions(scope, row.id)
  return row.identity_verified_at === null ? { matched: 0, person: null } : {}
}

/** Locks the team's session until the transaction ends. Throws NOT_FOUND. */
async function lockSession(scope: Scope, id: string): Promise<RecordRow> {
  const query = scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('product', '=', SESSION)
    .where('id', '=', id)
  const row = await scope.deps.store.lock(query).executeTakeFirst()
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** Stores an open session's number of used attempts. */
async function countTries(scope: Scope, row: RecordRow, tries: number): Promise<RecordRow> {
  return scope.db
    .updateTable('records')
    .set({ data: JSON.stringify({ ...dataOf(row), tries }) })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Judges an answer. The attempt is counted in a transaction before any external call, so simultaneous answers are
 * limited too. It is refunded if no service responded, because the caller learned nothing. A correct answer is refunded
 * to the entity's limit. Throws OutsideError if no service responded, INVALID_REQUEST for a malformed answer, and
 * LimitError if the entity has no attempts left. Must not be called inside a transaction.
 */
export async function answerSession(scope: Scope, id: string, block: Record<string, unknown>): Promise<RecordRow> {
  const taken = await transact(scope.deps, scope.team, tx => takeAnswer(tx, id, block))
  return judgeAnswer(scope, taken)
}

/** An answer whose attempt was counted; contains only `row` if the session accepts no answers. */
export type TakenAnswer =
  | { ready: false; row: RecordRow }
  | {
      ready: true
      row: RecordRow
      method: Method
      entity: EntityRow
      answer: unknown
      /** True if no attempt remains after this one. */
      last: boolean
      guess: Remaining | undefined
    }

/**
 * Counts the attempt in the caller's transaction: the first half of {@link answerSession}.
 * @param held the session, with its row locked by the caller, and its entity
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
  const guess = method.guesses && (await take(tx, method.guesses, row.holder_id))
  const counted = await countTries(tx, row, tries)
  const entity = held?.entity ?? (await findEntity(tx, row.holder_id))!
  const last = tries >= method.tries || guess?.left === 0
  return { row: counted, method, ready: true, entity, answer, last, guess }
}

/**
 * Checks a counted attempt after the first half has committed: the second half of {@link answerSession}.
 * @param options.hold locks the entity, and the rows that must be locked with it, before a correct answer is recorded
 * @param options.verified runs in the transaction that records a correct answer, under the entity's lock
 */
export async function judgeAnswer(
  scope: Scope,
  taken: TakenAnswer,
  {
    hold,
    verified,
  }: {
    hold?: (tx: Scope) => Promise<EntityRow | undefined>
    verified?: (tx: Scope, entity: EntityRow) => Promise<void>
  } = {},
): Promise<RecordRow> {
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
    together(outer, async tx => {
      if (verdict.status !== 'verified') return judge(tx, taken.row, verdict)
      // Locks the entity before the session, as all code does.
      const held = await (hold ? hold(tx) : lockEntity(tx, entity.id))
      let proven: EntityRow | undefined
      const judged = await judge(tx, taken.row, verdict, held, after => {
        proven = after
      })
      await restore(tx)
      if (judged.status === 'verified') await verified?.(tx, proven ?? held ?? entity)
      return judged
    }),
  )
}

import { resourceCodes, resourceError, ServiceError } from '@causeway/contract/errors'
import { emit } from '../../notify/emit.js'
import { createId } from '../../platform/crypto/random.js'
import { readJson, writeJson } from '../../platform/db/json.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { type EntityRow, typedFields, typedJson, usableMethods } from '../holders/entity.js'
import type { RecordRow } from '../holders/product.js'
import { lockEntity } from '../holders/store.js'
import { findRecord, insertRecord } from '../records/store.js'
import type { RemainingAttempts } from './attempts.js'
import { dataOf, type Method, sessionData, type Verdict } from './methods/method.js'
import { methodsByName } from './methods/registry.js'
import { type Latest, updateEntity, updateEntityLater } from './store.js'

export const SESSION = 'entity_verification_session'
/** A session's lifetime: ten minutes in team time. Source: contract. */
export const VERIFICATION_SESSION_LIFETIME_MS = 600_000

type Request = { type: 'phone' | 'identity'; method: string }
export const sessionRequest = jsonColumn<Request>('records.request')
export const requestOf = (row: RecordRow): Request => sessionRequest.read(row.request)
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
    error: readJson('records.error', row.error),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

/** Options for starting a session. */
interface SessionOptions {
  /**
   * True if the person starts the session in the frame. Such a session can start even if the phone or identity is
   * already verified. The caller must run its job with `settle`.
   */
  inFrame?: boolean
  /** The person's network address, if known. */
  address?: string | undefined
  /**
   * Data about the locked entity that the transaction has already read. If present, the entity's row is written at the
   * end of the transaction.
   */
  read?: LoadedFacts | undefined
  /** Work to do in the transaction that records the result of the session's job. */
  proving?: VerdictHooks
}

/** Data about a locked entity, saved so that a transaction reads it only once. */
export interface LoadedFacts {
  /** The ids of the entity's latest records. */
  latest?: Latest | undefined
  attempts?: RemainingAttempts | undefined
}

/** Work that the caller adds to the transaction that records an answer. The work may run again after a conflict. */
export interface VerdictHooks {
  /** Locks the entity, and any rows to lock along with it, before the answer is recorded. */
  hold?(tx: Scope): Promise<EntityRow | undefined>
  /**
   * Runs after a correct answer, while the entity is locked. The entity's row is written at the end of the transaction.
   */
  verified?(tx: Scope, entity: EntityRow, read: LoadedFacts): Promise<void>
  /** Runs in the transaction that records a wrong answer. */
  refused?(tx: Scope): Promise<void>
}

/** A session and its entity. */
export interface SessionAndEntity {
  row: RecordRow
  entity: EntityRow
}

/** The data that a session's job receives from the job's creator. */
export interface JobFacts extends SessionAndEntity {
  proving?: VerdictHooks | undefined
}

/**
 * Starts a session that verifies a phone or an identity.
 * @returns the session, the updated entity, and the job that makes the external call
 */
export async function createSession(
  scope: Scope,
  entity: EntityRow,
  type: 'phone' | 'identity',
  name: string,
  block: Record<string, unknown>,
  { inFrame = false, address, read, proving }: SessionOptions = {},
): Promise<SessionAndEntity & { job: string | null; waits: boolean }> {
  const method = methodsByName[name]
  if (entity.type !== 'individual') throw new ServiceError('INVALID_ENTITY_TYPE')
  const proven = type === 'phone' ? entity.phone_verified_at : entity.identity_verified_at
  if (proven !== null && !inFrame) throw new ServiceError('EXISTING_VERIFIED_SESSION')
  const usable = inFrame ? [name] : usableMethods(scope, entity)[type]
  if (entity.status === 'disabled')
    throw new ServiceError('UNAUTHORIZED_VERIFICATION_METHOD', 'A disabled entity cannot be verified.')
  if (!method || method.type !== type || !usable.includes(name)) {
    const names = usable.filter(known => known in methodsByName).join(', ')
    const reason = method && scope.deps.capabilities.missing('entity_method', name)
    throw new ServiceError(
      'UNAUTHORIZED_VERIFICATION_METHOD',
      (reason ? `${reason} ` : '') +
        (names ? `This entity's ${type} can be verified by: ${names}.` : `No method can verify this entity's ${type}.`),
    )
  }
  const verdict = await method.initialState(scope, entity, block, { address, left: read?.attempts?.questions })
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
  const pointer = type === 'phone' ? { phone_session: row.id } : { identity_session: row.id }
  const updated = read
    ? (await updateEntityLater(scope, entity, pointer, read.latest)).row
    : await updateEntity(scope, entity, pointer)
  if (verdict.status === 'verified') {
    let verified = updated
    const keepVerified = (after: EntityRow) => {
      verified = after
    }
    // A pending write to the entity's row would overwrite a change made now.
    const after = await applyVerdict(scope, row, verdict, read && updated, read && keepVerified)
    return { row: after, entity: verified, job: null, waits: false }
  }
  await scope.deps.jobs.enqueue(scope, {
    kind: 'evf.expire',
    payload: { record: row.id },
    at: scope.now + VERIFICATION_SESSION_LIFETIME_MS,
  })
  const waits = method.startCall?.waits ?? false
  const job = method.startCall
    ? await scope.deps.jobs.enqueue(scope, {
        kind: 'evf.ask',
        payload: { record: row.id },
        clocked: false,
        ...(waits || inFrame ? { awaited: true, facts: { row, entity: updated, proving } satisfies JobFacts } : {}),
      })
    : null
  return { row, entity: updated, job, waits }
}

/**
 * Stores a verdict once and applies it to the entity.
 * @param row the session as it was read, whether locked or not; it is read again if it has changed since then
 * @param lockedEntity the session's entity, if the caller has locked it
 * @param onVerified receives the entity that the verdict verified; if given, the entity's row is written at the end of
 * {@link batchWrites}
 */
export async function applyVerdict(
  scope: Scope,
  row: RecordRow,
  verdict: Verdict,
  lockedEntity?: EntityRow,
  onVerified?: (entity: EntityRow, latest: Latest | undefined) => void,
): Promise<RecordRow> {
  const after = await scope.db
    .updateTable('records')
    .set({
      status: verdict.status,
      data: sessionData.write({ ...dataOf(row), ...verdict.data }),
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
    const current = await findRecord(scope, SESSION, row.id)
    return current?.status === 'in_progress'
      ? applyVerdict(scope, current, verdict, lockedEntity, onVerified)
      : (current ?? row)
  }
  await emit(scope, 'entity_verification_session.update', showSession(after), showSession(row))
  const entity = verdict.status === 'verified' ? (lockedEntity ?? (await lockEntity(scope, row.holder_id))) : undefined
  if (entity) {
    const isPhone = requestOf(row).type === 'phone'
    // mutant: proof-as-old-as-verification (drop 1)
    const provedAt = verdict.provedAt ?? scope.now
    const change = isPhone
      ? {
          phone_verified_at: entity.phone_verified_at ?? provedAt,
          phone_proved_at: Math.max(provedAt, entity.phone_proved_at ?? provedAt),
          phone_session: row.id,
          typed: typedJson.write([...typedFields(entity)].filter(name => name !== 'phone')),
        }
      : {
          identity_verified_at: provedAt,
          identity_session: row.id,
          // mutant: verified-details-stay (remove)
          typed: '[]',
        }
    if (onVerified) {
      const updated = await updateEntityLater(scope, entity, change)
      onVerified(updated.row, updated.latest)
    } else await updateEntity(scope, entity, change)
  }
  return after
}

/** Selects an entity's open sessions. */
export const openSessions = (scope: Scope, entity: string) =>
  scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', entity)
    .where('product', '=', SESSION)
    .where('status', '=', 'in_progress')

/** Ends an entity's open sessions, because they were started for details that have since been replaced. */
async function endSessions(scope: Scope, entity: string): Promise<void> {
  for (const row of await openSessions(scope, entity).execute())
    await applyVerdict(scope, row, { status: 'failed', data: {}, code: resourceCodes.VERIFICATION_SESSION_EXPIRED })
}

/**
 * Resets an entity whose unverified details are being replaced. Removes the match that was based on the old details,
 * and ends the open sessions so that a code or answer for the old details can't verify the new ones. The entity's row
 * must be locked.
 * @returns the columns to write
 */
export async function resetMatch(scope: Scope, row: EntityRow): Promise<Partial<EntityRow>> {
  // mutant: new-number-ends-codes (remove)
  await endSessions(scope, row.id)
  // mutant: new-number-forgets-person (false)
  return row.identity_verified_at === null ? { matched: 0, person: null } : {}
}

/**
 * Stores a verdict as {@link applyVerdict} does, and runs the caller's work for a correct or wrong answer.
 * @param restore refunds the attempt if the answer was correct
 */
export async function recordVerdict(
  tx: Scope,
  row: RecordRow,
  verdict: Verdict,
  { hold, verified, refused }: VerdictHooks,
  restore: () => Promise<void> = async () => undefined,
): Promise<RecordRow> {
  if (verdict.status !== 'verified') {
    await refused?.(tx)
    return applyVerdict(tx, row, verdict)
  }
  // Locks the entity first, as all other code does.
  const lockedEntity = await (hold ? hold(tx) : lockEntity(tx, row.holder_id))
  let verifiedEntity: { entity: EntityRow; latest: Latest | undefined } | undefined
  const session = await applyVerdict(tx, row, verdict, lockedEntity, (entity, latest) => {
    verifiedEntity = { entity, latest }
  })
  await restore()
  const entity = verifiedEntity?.entity ?? lockedEntity
  if (session.status === 'verified' && entity) await verified?.(tx, entity, { latest: verifiedEntity?.latest })
  return session
}

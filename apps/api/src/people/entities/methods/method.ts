import type { KbaQuestion } from '@causeway/connector/ports/identity'
import { type ResourceErrorCode, ServiceError } from '@causeway/contract/errors'
import type { EntityMethod } from '@causeway/contract/methods/method'
import { createPortCall } from '../../../network/ports.js'
import { jsonColumn } from '../../../platform/db/json-column.js'
import { selectState } from '../../../platform/jobs/statements.js'
import type { Limit, Remaining } from '../../../platform/limits/limit.js'
import type { Scope } from '../../../platform/scope.js'
import type { EntityRow } from '../../holders/entity.js'
import type { RecordRow } from '../../holders/product.js'
import { readDetails } from '../../holders/show-entity.js'

/** A session's state, stored as the record's data. */
export interface SessionData {
  tries: number
  timestamp?: string
  round?: number
  questions?: KbaQuestion[]
  authenticated?: boolean
  urls?: string[]
  /** No service responded, so the session proves nothing about the person. */
  unreachable?: true
}

export interface Verdict {
  status: 'in_progress' | 'verified' | 'failed'
  data: Partial<SessionData>
  code?: ResourceErrorCode
  /** The time at which the customer verified the person, if that was earlier. Never in the future. */
  provedAt?: number
}

/** Defines one way to verify a phone or an identity. */
export interface Method<Answer = unknown> {
  type: 'phone' | 'identity'
  name: string
  /** True if the person enters nothing, because their handset confirms the phone. */
  isSilent?: true
  /** The number of attempts per session. */
  maxAttempts: number
  /** Limits wrong answers per entity, across its sessions. */
  attemptLimit?: Limit
  /**
   * Checks that a session can start, and returns its initial state. Throws a request error if the session can't
   * start.
   * @param context the person's network address and the remaining guesses, if known
   */
  initialState(
    scope: Scope,
    entity: EntityRow,
    block: Record<string, unknown>,
    context: { address?: string | undefined; left?: Remaining | undefined },
  ): Promise<Verdict>
  /** Makes one external call when the session starts. If `waits` is true, the POST waits for the call. */
  startCall?: { waits: boolean; run(scope: Scope, entity: EntityRow, row: RecordRow): Promise<Verdict> }
  /**
   * Reads the answer from this method's block in the request, before the attempt is counted. Throws INVALID_REQUEST.
   */
  read?(block: Record<string, unknown>): Answer
  /** Checks an answer by calling external services. `last` is true if no attempts remain after this one. */
  check?(scope: Scope, entity: EntityRow, row: RecordRow, answer: Answer, last: boolean): Promise<Verdict>
  show(data: SessionData, verified: boolean): Record<string, unknown>
}

/** Returns the parts of a definition that the contract declares. */
export const declaredAs = ({ type, name }: EntityMethod) => ({ type, name })

/** Returns the fields that every call to the identity provider contains. */
export const call = (scope: Scope, row: RecordRow) => createPortCall(scope, row.id)
/** The content of an entity's verification session. */
export const sessionData = jsonColumn<SessionData>('records.data')
export const dataOf = (row: RecordRow): SessionData => (row.data === null ? { tries: 0 } : sessionData.read(row.data))
const matchPending = "The person that the entity's details belong to has not been found yet. Retry the request."

/**
 * Requires the entity to be matched to a person. Throws SERVICE_UNAVAILABLE while a job is still searching for the
 * person, and otherwise MISSING_IDENTITY_MATCH.
 */
export async function requireMatch(scope: Scope, { matched, match_job }: EntityRow): Promise<void> {
  if (matched === 1) return
  const job = match_job === null ? undefined : await selectState.first(scope.db, { team: scope.team.id, id: match_job })
  // mutant: pending-match-is-no-mismatch (remove)
  if (job?.state === 'ready') throw new ServiceError('SERVICE_UNAVAILABLE', matchPending, { 'Retry-After': '5' })
  throw new ServiceError('MISSING_IDENTITY_MATCH')
}
/** Returns the entity's phone number. Throws INVALID_REQUEST if the entity has no phone number. */
export const requirePhone = (scope: Scope, entity: EntityRow): string => {
  const { phone } = readDetails(scope, entity)
  if (!phone) throw new ServiceError('INVALID_REQUEST', 'The entity has no phone number. Set individual.phone first.')
  return phone
}

import type { CardDetails } from '@causeway/connector/ports/account-data'
import type { Failure } from '@causeway/connector/ports/call'
import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { AccountMethod } from '@causeway/contract/methods/method'
import { jsonColumn } from '../../../platform/db/json-column.js'
import type { Limit } from '../../../platform/limits/limit.js'
import type { Scope } from '../../../platform/scope.js'
import type { AccountRow } from '../../holders/account.js'
import type { Proof } from '../../holders/account-rules.js'

/** A session's state, sealed and stored as the record's data. Never includes a card's verification value. */
export interface SessionData extends Record<string, unknown> {
  tries: number
}

export const sessionData = jsonColumn<SessionData>('records.data')

/** The effect of one answer on a session and, if the answer verifies the session, on its account. */
export interface Verdict {
  status: 'pending' | 'verified' | 'failed'
  data?: Record<string, unknown>
  code?: ResourceErrorCode
  number?: string
  card?: CardDetails
}

/** A session that is being answered. `request_id` is different for each attempt. */
export interface Attempt {
  scope: Scope
  account: AccountRow
  data: SessionData
  request_id: string
}

/** Defines one way to verify an account. */
export interface Method<Answer = unknown> {
  /** The session type. */
  name: string
  /** The proofs that a verified session provides. */
  proves: readonly Proof[]
  /** The number of attempts per session. */
  maxAttempts: number
  /** Limits wrong answers per account, across its sessions. */
  attemptLimit?: Limit
  /** Limits sessions per account, if starting a session costs money. */
  sessionLimit?: Limit
  /** True if a team can start sessions of this type; false if only the service can. */
  creatable: boolean
  /** Returns true if an account of this kind can be verified with this method. Pure. */
  appliesTo(account: AccountRow): boolean
  /** Returns a new session's state. */
  begin(scope: Scope, account: AccountRow): Record<string, unknown>
  /** Makes a new session's external calls. If the result is `sent`, the session's status changes to in progress. */
  start?: {
    run(asked: Attempt): Promise<{ status: 'sent'; next_at?: number } | Failure>
    /** The session's error code if the external service could not be reached. */
    unreachable: ResourceErrorCode
  }
  /**
   * Checks that what `start` sent has not come back. `next_at` is the team time of the next check, or null if there is
   * none. The first check is at the `next_at` of `start`.
   */
  follow?(asked: Attempt): Promise<{ status: 'sent'; next_at: number | null } | Failure>
  /**
   * Reads the answer from this method's block in the request, before the attempt is counted. Throws a request error
   * if the block is invalid.
   */
  read(block: unknown, data: SessionData): Answer
  /** Checks an answer by calling external services. */
  check(asked: Attempt, answer: Answer): Promise<Verdict>
  show(data: SessionData, verified: boolean): Record<string, unknown>
  /** Returns the block for events. Defined only if events must contain less than `show` returns. */
  showInEvent?(): Record<string, unknown>
}

/** Erases the answer's type from a definition, for code that handles all methods the same way. */
export const method = <Answer>(definition: Method<Answer>): Method => definition as Method

/** Returns the parts of a definition that the contract declares. */
export const declaredAs = ({ name, answer }: AccountMethod) => ({ name, creatable: answer !== undefined })

/** Returns true for a bank account. Pure. */
export const isAch = (account: AccountRow) => account.type === 'ach'

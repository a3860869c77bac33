import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { CardDetails } from '../../../network/account-data.js'
import type { Limit } from '../../../platform/limits/limit.js'
import type { Scope } from '../../../platform/scope.js'
import type { Proof } from '../../products/account-rules.js'
import type { AccountRow } from '../account.js'

/** The state of a session, sealed as the record's data. Never includes a card's verification value. */
export interface SessionData extends Record<string, unknown> {
  tries: number
}

/** The effect of one answer on a session, and on its account if it is verified. */
export interface Verdict {
  status: 'pending' | 'verified' | 'failed'
  data?: Record<string, unknown>
  code?: ResourceErrorCode
  number?: string
  card?: CardDetails
}

/** A session that is being answered. `request_id` is different for each attempt. */
export interface Asked {
  scope: Scope
  account: AccountRow
  data: SessionData
  request_id: string
}

/** Defines one way to verify an account. */
export interface Method<Answer = unknown> {
  /** The proof that a verified session gives. */
  proves: readonly Proof[]
  /** The number of attempts per session. */
  tries: number
  /** Limits wrong answers per account, across its sessions. */
  guesses?: Limit
  /** Limits sessions per account, if starting one costs money. */
  begins?: Limit
  /** True if a team can start such a session. The service starts the others. */
  creatable: boolean
  /** True if this kind of account can be verified this way. Pure. */
  fits(account: AccountRow): boolean
  /** Returns the state of a new session. */
  begin(scope: Scope, account: AccountRow): Record<string, unknown>
  /** Makes the external calls of a new session. `sent` puts it in progress. */
  start?(asked: Asked): Promise<{ status: 'sent' } | { status: 'failed'; code: ResourceErrorCode }>
  /** Reads the answer from its block. Throws INVALID_REQUEST before the attempt is counted. */
  read(block: unknown, data: SessionData): Answer
  /** Judges an answer by calling external services. */
  judge(asked: Asked, answer: Answer): Promise<Verdict>
  show(data: SessionData, verified: boolean): Record<string, unknown>
  /** The block as an event shows it, if it shows less. */
  tell?(): Record<string, unknown>
}

/** Erases the answer's type from a definition, for code that handles all methods alike. */
export const method = <Answer>(definition: Method<Answer>): Method => definition as Method

/** True for a bank account. Pure. */
export const isAch = (account: AccountRow) => account.type === 'ach'

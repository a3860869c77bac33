import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { CardDetails } from '../../../network/account-data.js'
import type { Limit } from '../../../platform/limits/limit.js'
import type { Scope } from '../../../platform/scope.js'
import type { Proof } from '../../products/account-rules.js'
import type { AccountRow } from '../account.js'

/** The state of a session: sealed as the record's data. A card's verification value is never in it. */
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

/** A session while it is answered. `request_id` is another one for each attempt. */
export interface Asked {
  scope: Scope
  account: AccountRow
  data: SessionData
  request_id: string
}

/** One way to verify an account: everything that makes it one. */
export interface Method<Answer = unknown> {
  /** The proof that a verified session gives. */
  proves: readonly Proof[]
  /** The number of times it can be answered. */
  tries: number
  /** Limits wrong answers per account, across its sessions. */
  guesses?: Limit
  /** Limits sessions per account, where beginning one costs money. */
  begins?: Limit
  /** True if a team can begin one; the others are the service's own. */
  creatable: boolean
  /** True if such an account can be verified so. Pure. */
  fits(account: AccountRow): boolean
  /** The state of a new session. */
  begin(scope: Scope, account: AccountRow): Record<string, unknown>
  /** The external calls once it has begun: `sent` makes it in progress. */
  start?(asked: Asked): Promise<{ status: 'sent' } | { status: 'failed'; code: ResourceErrorCode }>
  /** Reads the block of an answer. Throws INVALID_REQUEST before the attempt is counted. */
  read(block: unknown, data: SessionData): Answer
  /** Judges an answer by calling external services. */
  judge(asked: Asked, answer: Answer): Promise<Verdict>
  show(data: SessionData, verified: boolean): Record<string, unknown>
  /** The block in an event, where that is less. */
  tell?(): Record<string, unknown>
}

/** A definition with its answer's type put aside, for what treats all alike. */
export const method = <Answer>(definition: Method<Answer>): Method => definition as Method

/** Checks that an account is a bank account. Pure. */
export const isAch = (account: AccountRow) => account.type === 'ach'

import type { ErrorSubType, ErrorType } from './contract.gen.js'

/** What the SDK itself can find wrong, beside what the service answers. */
export type LocalSubType = 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNREADABLE_ANSWER' | 'IDEMPOTENCY_MISMATCH'

export interface CausewayErrorFields {
  type: ErrorType | 'CONNECTION_ERROR' | 'IDEMPOTENCY_ERROR' | (string & {})
  /** The machine key: branch on this one. The service may add values. */
  sub_type: ErrorSubType | LocalSubType | (string & {})
  /** HTTP status of the answer; 0 where none came. */
  code: number
  message: string
  /** `Request-Id` of the answer, to quote when reporting; null where none came. */
  request_id: string | null
  /** The key that the request carried, so that it can be repeated safely; null where it carried none. */
  idempotency_key: string | null
}

/**
 * The one error that this SDK throws for a request that was sent.
 * @example
 * try { await causeway.opal.sessions.release(id) }
 * catch (error) {
 *   if (error instanceof CausewayError && error.sub_type === 'BT_NO_ALLOCATIONS') askAgain()
 *   else throw error
 * }
 */
export class CausewayError extends Error {
  override readonly name = 'CausewayError'
  readonly type: CausewayErrorFields['type']
  readonly sub_type: CausewayErrorFields['sub_type']
  readonly code: number
  readonly request_id: string | null
  readonly idempotency_key: string | null

  constructor(fields: CausewayErrorFields, cause?: unknown) {
    super(fields.message, cause === undefined ? undefined : { cause })
    this.type = fields.type
    this.sub_type = fields.sub_type
    this.code = fields.code
    this.request_id = fields.request_id
    this.idempotency_key = fields.idempotency_key
  }
}

/** Something that came to you and says that it is the service's, and is not, or no longer. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
  readonly reason: 'missing' | 'malformed' | 'expired' | 'signature' | 'issuer' | 'audience'

  constructor(reason: VerificationError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

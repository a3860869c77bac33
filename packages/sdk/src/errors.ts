import type { ErrorSubType, ErrorType } from './contract.gen.js'

/** Errors of the SDK itself, in addition to those of the service. */
export type LocalSubType = 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNREADABLE_ANSWER' | 'IDEMPOTENCY_MISMATCH'

export interface CausewayErrorFields {
  type: ErrorType | 'CONNECTION_ERROR' | 'IDEMPOTENCY_ERROR' | (string & {})
  /** The machine-readable key. Branch on this one. The service can add values. */
  sub_type: ErrorSubType | LocalSubType | (string & {})
  /** The HTTP status of the response; 0 if there was none. */
  code: number
  message: string
  /** `Request-Id` of the response, to include in a report; null if there was none. */
  request_id: string | null
  /** The Idempotency-Key of the request, for a safe retry; null if it had none. */
  idempotency_key: string | null
}

/**
 * The error that this SDK throws for each failed request.
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

/** A delivery or a result that is not from the service, or has expired. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
  readonly reason: 'missing' | 'malformed' | 'expired' | 'signature' | 'issuer' | 'audience'

  constructor(reason: VerificationError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

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
  /** The field or the query parameter that the message is about, such as `individual.address.zip`; null if it names none. */
  param?: string | null
  /** The section of the endpoint in the service's reference, which lists its errors; null if the service did not respond. */
  doc_url?: string | null
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
  override readonly name: string = 'CausewayError'
  readonly type: CausewayErrorFields['type']
  readonly sub_type: CausewayErrorFields['sub_type']
  readonly code: number
  readonly request_id: string | null
  readonly idempotency_key: string | null
  readonly param: string | null
  readonly doc_url: string | null

  constructor(fields: CausewayErrorFields, cause?: unknown) {
    super(fields.message, cause === undefined ? undefined : { cause })
    this.type = fields.type
    this.sub_type = fields.sub_type
    this.code = fields.code
    this.request_id = fields.request_id
    this.idempotency_key = fields.idempotency_key
    this.param = fields.param ?? null
    this.doc_url = fields.doc_url ?? null
  }
}

/** The request is wrong, or not possible now. Retrying it unchanged does not help, except after 429. */
export class InvalidRequestError extends CausewayError {
  override readonly name = 'InvalidRequestError'
  declare readonly type: 'INVALID_REQUEST'
}

/** The key is missing, wrong or revoked. */
export class AuthorizationError extends CausewayError {
  override readonly name = 'AuthorizationError'
  declare readonly type: 'INVALID_AUTHORIZATION'
}

/** The service failed, or a proxy responded in its place. */
export class ApiError extends CausewayError {
  override readonly name = 'ApiError'
  declare readonly type: 'API_ERROR'
}

/** There was no response. It is unknown if the request ran: retry a POST with the same key. */
export class ConnectionError extends CausewayError {
  override readonly name = 'ConnectionError'
  declare readonly type: 'CONNECTION_ERROR'
}

/** The Idempotency-Key was already used for a different request. */
export class IdempotencyError extends CausewayError {
  override readonly name = 'IdempotencyError'
  declare readonly type: 'IDEMPOTENCY_ERROR'
}

const classes: Readonly<Record<string, typeof CausewayError>> = {
  INVALID_REQUEST: InvalidRequestError,
  INVALID_AUTHORIZATION: AuthorizationError,
  API_ERROR: ApiError,
  CONNECTION_ERROR: ConnectionError,
  IDEMPOTENCY_ERROR: IdempotencyError,
}

/** Returns an error of the class of its type. */
export function errorOf(fields: CausewayErrorFields, cause?: unknown): CausewayError {
  const Class = Object.hasOwn(classes, fields.type) ? classes[fields.type]! : CausewayError
  return new Class({ ...fields, param: fields.param ?? paramOf(fields) }, cause)
}

/** A field at the start of a sentence of the service, such as `ach.routing must be nine digits.` */
const FIELD =
  /^([a-z][a-z0-9_]*(?:\.\w+|\[\d*\])*) (?:must|is required|can be|can have|has an unknown field|already has) ?/

const paramOf = ({ type, message }: CausewayErrorFields): string | null =>
  type === 'INVALID_REQUEST' ? (FIELD.exec(message)?.[1] ?? null) : null

/** A delivery or a result that is not from the service, or has expired. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
  readonly reason: 'missing' | 'malformed' | 'expired' | 'signature' | 'issuer' | 'audience'

  constructor(reason: VerificationError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

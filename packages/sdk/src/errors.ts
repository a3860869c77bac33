import type { ErrorSubType, ErrorType } from './contract.gen.js'

/** Errors that come from the SDK rather than from the service. */
export type LocalSubType = 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNREADABLE_ANSWER' | 'IDEMPOTENCY_MISMATCH'

export interface CausewayErrorFields {
  type: ErrorType | 'CONNECTION_ERROR' | 'IDEMPOTENCY_ERROR' | (string & {})
  /** The exact reason for the error, for your code to branch on. The service may add values. */
  sub_type: ErrorSubType | LocalSubType | (string & {})
  /** The response's HTTP status, or 0 if there was no response. */
  code: number
  message: string
  /** The response's `Request-Id`, to include in a support request. Null if there was no response. */
  request_id: string | null
  /** The request's Idempotency-Key, for a safe retry. Null if the request had no key. */
  idempotency_key: string | null
  /**
   * The field or query parameter that the message refers to, such as `individual.address.zip`. Null if the message does
   * not mention one.
   */
  param?: string | null
  /**
   * The URL of the section in the service's reference that lists the endpoint's errors. Null if the service did not
   * respond.
   */
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

/**
 * The request is invalid, or cannot be carried out right now. Retrying it unchanged helps only after a 429 response.
 */
export class InvalidRequestError extends CausewayError {
  override readonly name = 'InvalidRequestError'
  declare readonly type: 'INVALID_REQUEST'
}

/** The key is missing, incorrect or revoked. */
export class AuthorizationError extends CausewayError {
  override readonly name = 'AuthorizationError'
  declare readonly type: 'INVALID_AUTHORIZATION'
}

/** The service failed, or a proxy responded on its behalf. */
export class ApiError extends CausewayError {
  override readonly name = 'ApiError'
  declare readonly type: 'API_ERROR'
}

/** There was no response, so the request may or may not have been processed. Retry a POST with the same key. */
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

/** Returns an error of the class that matches its type. */
export function errorOf(fields: CausewayErrorFields, cause?: unknown): CausewayError {
  const Class = Object.hasOwn(classes, fields.type) ? classes[fields.type]! : CausewayError
  return new Class({ ...fields, param: fields.param ?? paramOf(fields) }, cause)
}

/** Matches a field name at the start of a message from the service, such as `ach.routing must be nine digits.` */
const FIELD =
  /^([a-z][a-z0-9_]*(?:\.\w+|\[\d*\])*) (?:must|is required|can be|can have|has an unknown field|already has)/

const paramOf = ({ type, message }: CausewayErrorFields): string | null =>
  type === 'INVALID_REQUEST' ? (FIELD.exec(message)?.[1] ?? null) : null

/** The delivery or result is not from the service, or it has expired. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
  readonly reason: 'missing' | 'malformed' | 'expired' | 'signature' | 'issuer' | 'audience'

  constructor(reason: VerificationError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** The response that a result was read from. */
export interface LastResponse {
  /** `Request-Id`, to include in a report; null if the response had none. */
  readonly request_id: string | null
  /** The HTTP status. */
  readonly status: number
  readonly headers: Headers
  /** The Idempotency-Key of the request; null if it had none. */
  readonly idempotency_key: string | null
  /** True if the service returned the stored response of an earlier request with this key. */
  readonly replayed: boolean
}

/**
 * A result with the response that it was read from. `lastResponse` is not enumerable: it is absent from `Object.keys`,
 * JSON and copies.
 */
export type WithResponse<T> = T extends object ? T & { readonly lastResponse: LastResponse } : T

/** Adds `lastResponse` to an object. Returns any other value unchanged. */
export function attach<T>(value: T, lastResponse: LastResponse): WithResponse<T> {
  if (typeof value === 'object' && value !== null)
    Object.defineProperty(value, 'lastResponse', { value: lastResponse, enumerable: false, configurable: true })
  return value as WithResponse<T>
}

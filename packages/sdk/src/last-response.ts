/** The response that produced a result. */
export interface LastResponse {
  /** The `Request-Id`, to include in a support request. Null if the response had none. */
  readonly request_id: string | null
  /** The HTTP status. */
  readonly status: number
  readonly headers: Headers
  /** The request's Idempotency-Key. Null if the request had no key. */
  readonly idempotency_key: string | null
  /** True if this is the stored response to an earlier request with the same key. */
  readonly replayed: boolean
}

/**
 * A result with the response that produced it. `lastResponse` is not enumerable, so it does not appear in
 * `Object.keys`, JSON or copies.
 */
export type WithResponse<T> = T extends object ? T & { readonly lastResponse: LastResponse } : T

/** Adds `lastResponse` to an object. Returns any other value as is. */
export function withLastResponse<T>(value: T, lastResponse: LastResponse): WithResponse<T> {
  if (typeof value === 'object' && value !== null)
    Object.defineProperty(value, 'lastResponse', { value: lastResponse, enumerable: false, configurable: true })
  return value as WithResponse<T>
}

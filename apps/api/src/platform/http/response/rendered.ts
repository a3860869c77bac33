import type { Version } from '@causeway/contract/versions'

/**
 * A read of sealed values for a response: the action to audit, the ids, and whether a replay requires the `sensitive`
 * scope.
 */
export interface Read {
  readonly action: string
  readonly resources: readonly string[]
  readonly sensitive: boolean
}

/** A response in the form of the root mount. It is stored for idempotency. See `showOnMount`. */
export interface Rendered {
  status: number
  body: string
  /** The kind of a body that has another form under `/enveloped`; absent if the body is the same on both mounts. */
  kind?: 'one' | 'list' | 'error'
  type: string
  headers: Record<string, string>
  /** The body's API version; absent if the body isn't versioned. */
  version?: Version
  /** The body to use for a replay, without values that are shown only once. */
  stored?: string
  /** The reads of personal values that the audit log must record for this body. */
  reads?: readonly Read[]
  /** The error code in the body, for the request log. */
  subType?: string
  /** Used instead of the body for a response that is never stored. */
  stream?: ReadableStream<Uint8Array>
}

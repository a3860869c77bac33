import type { ResourceErrorCode } from '@causeway/contract/errors'

/**
 * The parameters of every external call. A call may be slow, may throw {@link OutsideError}, and may be repeated with
 * the same `request_id`.
 */
export interface PortCall {
  /**
   * The resource's id, which stays the same on every retry, so that the external service can return the same answer.
   */
  request_id: string
  team_id: string
  /** The team's time, in epoch milliseconds. */
  now: number
  /** The id of the API request that caused the call. Used in logs, and never sent to the external service. */
  cause?: string | undefined
}

/** The answer to a call that failed for a known reason. */
export type Failure = { status: 'failed'; code: ResourceErrorCode }

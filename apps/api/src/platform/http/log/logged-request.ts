import type { Version } from '@causeway/contract/versions'
import type { Tables } from '../../db/tables.js'
import type { Team } from '../../team.js'

/** A completed request. The unredacted bodies stay in memory until they are written. */
export interface LoggedRequest {
  readonly id: string
  readonly team: Team
  readonly actor: string
  readonly source: 'api' | 'console'
  readonly method: string
  /** The route's template. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  readonly status: number
  readonly ms: number
  readonly version: Version | null
  readonly idempotency: Tables['requests']['idempotency']
  /** Null if the body is not stored. */
  readonly request: string | null
  readonly response: string | null
  /** The error code of a new response. A replayed response has its error code only in the body. */
  readonly subType?: string | undefined
  readonly at: number
}

/** Stores the requests that the service answered. */
export interface RequestLog {
  /** Queues a request for the log. Never throws and never waits. */
  add(request: LoggedRequest): void
  /**
   * Writes the requests that are in the queue at the time of the call. If the store fails, throws the store's error and
   * keeps the requests in the queue.
   */
  flush(): Promise<void>
  /**
   * Starts writing the queue every second and whenever it contains a full batch.
   * @returns a function that writes the remaining requests and stops
   */
  start(): () => Promise<void>
}

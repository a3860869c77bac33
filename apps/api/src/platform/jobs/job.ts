import type { Scope } from '../scope.js'

/** The work of a job. External calls and changes to the store are separate, so that no transaction waits for a call. */
export interface JobHandler {
  /**
   * Makes the external calls and changes nothing in the store. Returns a function that saves the result in the
   * transaction that ends the job. If it throws, the job waits and is attempted again. With `again`, the job runs once
   * more at that team time, as a job of the kind `as` if that is set.
   * @param facts the facts that the creator of an awaited job passed on, for the first attempt in its process;
   *   otherwise undefined
   */
  run(
    scope: Scope,
    payload: Record<string, string>,
    attempt: number,
    facts?: unknown,
  ): Promise<(scope: Scope) => Promise<{ again: number; as?: string } | undefined>>
  /** Saves the result after the last failed attempt. With `again`, the job stays and starts over at that team time. */
  exhausted?(scope: Scope, payload: Record<string, string>): Promise<{ again: number } | undefined>
  /** Default 8. */
  attempts?: number
}

export type JobHandlers = Record<string, JobHandler>

export interface NewJob {
  kind: string
  payload: Record<string, string>
  /** Team time; default now. */
  at?: number
  /** True if the sandbox clock moves it. Default true. */
  clocked?: boolean
  /** At most one job with this key exists. */
  unique?: string
  /**
   * Set if the creator runs the job with `settle` right after its transaction commits. This process then claims the job
   * as it inserts it. If the creator fails first, another process takes over the job after its lease.
   */
  awaited?: true
  /** Facts that the creator of an awaited job has after its transaction, so that the handler need not read them. */
  facts?: unknown
  /** The job's lane, which must exist. Jobs of a lane share its limit, and wait while it is paused. */
  lane?: string
}

export interface Jobs {
  /** Adds a job to the scope's transaction. It starts after the commit. @returns its id */
  enqueue(scope: Scope, job: NewJob): Promise<string>
  /** Runs a job at once, or waits at most `ms` while another process runs it. True if the job is over. */
  settle(team: string, id: string, ms: number): Promise<boolean>
  /**
   * Runs all due jobs of a team, and those that become due as a result, for at most `ms`. Does not wait for jobs with a
   * lane, unless `lanes` is true.
   */
  drain(team: string, ms: number, options?: { lanes?: boolean }): Promise<void>
  start(): Promise<void>
  /** Starts no new job and waits for running ones to end. */
  stop(): Promise<void>
}

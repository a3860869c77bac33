import type { Scope } from '../scope.js'

/**
 * Handles jobs of one kind. External calls and changes to the store are separate, so that no transaction waits for a
 * call.
 */
export interface JobHandler {
  /**
   * Makes the external calls and changes nothing in the store. Returns a function that saves the result in the
   * transaction that ends the job. If either function throws, the job is retried later. If the result contains `again`,
   * the job runs again at that team time, as a job of kind `as` if that is set.
   * @param facts the facts that an awaited job's creator provided; defined only for the first attempt, in the creator's
   *   process
   */
  run(
    scope: Scope,
    payload: Record<string, string>,
    attempt: number,
    facts?: unknown,
  ): Promise<(scope: Scope) => Promise<{ again: number; as?: string } | undefined>>
  /**
   * Saves the final result after the last attempt has failed. If it returns `again`, the job starts over at that team
   * time.
   */
  exhausted?(scope: Scope, payload: Record<string, string>): Promise<{ again: number } | undefined>
  /** The maximum number of attempts; 8 by default. */
  attempts?: number
}

export type JobHandlers = Record<string, JobHandler>

export interface NewJob {
  kind: string
  payload: Record<string, string>
  /** The team time at which to run the job; now by default. */
  at?: number
  /** True (default) if moving the sandbox clock also moves the job's scheduled time. */
  clocked?: boolean
  /** A key that only one job can have at a time. */
  unique?: string
  /**
   * Set if the creator runs the job with `settle` right after its transaction commits. This process then claims the job
   * when inserting it. If the creator fails before it runs the job, another process takes over the job when the lease
   * ends.
   */
  awaited?: true
  /** Facts that an awaited job's creator already has, so that the handler doesn't need to read them. */
  facts?: unknown
  /** The job's lane, which must exist. A lane's jobs share its limit and wait while the lane is paused. */
  lane?: string
}

export interface Jobs {
  /** Adds a job in the scope's transaction. The job starts after the commit. @returns the job's id */
  enqueue(scope: Scope, job: NewJob): Promise<string>
  /**
   * Runs a job immediately, or waits while another process runs it, for up to `ms`. Resolves to true if the job has
   * ended.
   */
  settle(team: string, id: string, ms: number): Promise<boolean>
  /**
   * Runs all of a team's due jobs, and any jobs that become due as a result, for up to `ms`. Waits for jobs with a lane
   * only if `lanes` is true.
   */
  drain(team: string, ms: number, options?: { lanes?: boolean }): Promise<void>
  start(): Promise<void>
  /** Starts no more jobs and waits for running jobs to end. */
  stop(): Promise<void>
}

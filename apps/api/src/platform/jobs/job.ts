import type { Scope } from '../scope.js'

/** Schedules another run of a job. */
export interface Again {
  /** The team time of the next run. */
  again: number
  /** The job's kind in the next run, if it changes. */
  as?: string
  /** The number of earlier attempts to count in the next run; 0 by default. */
  attempts?: number
}

/**
 * Handles jobs of one kind. External calls and changes to the store are separate, so that no transaction waits for a
 * call.
 */
export interface JobHandler {
  /**
   * Makes the external calls, without changing the store. Returns a function that saves the result in the transaction
   * that ends the job. If either function throws, the job is retried later. If the returned function itself returns a
   * result, the job runs again.
   * @param attempt 1 if no earlier run can have acted; otherwise, more
   * @param facts the data that an awaited job's creator provided; defined only for the first attempt, in the creator's
   *   process
   */
  run(
    scope: Scope,
    payload: Record<string, string>,
    attempt: number,
    facts?: unknown,
  ): Promise<(scope: Scope) => Promise<Again | undefined>>
  /**
   * Saves the final result after the last attempt has failed, or after several processes ended while they ran the job.
   * If this function returns a result, the job starts over, unless its processes ended.
   */
  exhausted?(scope: Scope, payload: Record<string, string>): Promise<{ again: number } | undefined>
  /** The number of consecutive failures after which the job is given up; 8 by default. */
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
   * Set if the creator runs the job with `settle` right after its transaction commits. The creator's process then
   * claims the job when inserting it. If that process fails first, another process takes over when the lease ends.
   */
  awaited?: true
  /** Data that an awaited job's creator already has, so that the handler doesn't need to read it. */
  facts?: unknown
  /** The job's lane, which must exist. A lane's jobs share its limit and wait while the lane is paused. */
  lane?: string
}

export interface Jobs {
  /** Adds a job in the scope's transaction. The job starts after the commit. @returns the job's id */
  enqueue(scope: Scope, job: NewJob): Promise<string>
  /**
   * Runs a job immediately, or waits while another process runs it. After at most `ms`, resolves to true if the job has
   * ended.
   */
  settle(team: string, id: string, ms: number): Promise<boolean>
  /**
   * For up to `ms`, runs all of a team's due jobs and any jobs that become due as a result. Waits for jobs with a lane
   * only if `lanes` is true.
   */
  drain(team: string, ms: number, options?: { lanes?: boolean }): Promise<void>
  start(): Promise<void>
  /** Stops starting jobs and waits for running jobs to end. */
  stop(): Promise<void>
}

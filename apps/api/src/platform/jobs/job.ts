import type { Scope } from '../scope.js'

/** Schedules another run of a job. */
export interface NextRun {
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
  ): Promise<(scope: Scope) => Promise<NextRun | undefined>>
  /**
   * Saves the final result after the last attempt has failed, or after several processes ended while they ran the job.
   * If this function returns a result, the job starts over, unless its processes ended.
   */
  exhausted?(scope: Scope, payload: Record<string, string>): Promise<{ again: number } | undefined>
  /** The number of consecutive failures after which the job is given up; 8 by default. */
  attempts?: number
}

export type JobHandlers = Record<string, JobHandler>

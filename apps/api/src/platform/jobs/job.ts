import type { Scope } from '../scope.js'

/**
 * The work of a job. Calling external services and changing the store are two halves, so that no transaction waits for
 * a call.
 */
export interface JobHandler {
  /**
   * Makes the external calls; changes nothing here. Returns what is to be saved, in one transaction with the job's end.
   * An error makes the job wait and try again. `again`: the same job once more at that team time, as a job of another
   * kind if `as` names one.
   * @param facts what the maker of an awaited job wrote and passed on, at the first attempt in its process; else
   * undefined
   */
  run(
    scope: Scope,
    payload: Record<string, string>,
    attempt: number,
    facts?: unknown,
  ): Promise<(scope: Scope) => Promise<{ again: number; as?: string } | undefined>>
  /** The result after the last failed attempt. `again`: the job stays, and starts over at that team time. */
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
  /** At most one job of a key exists. */
  unique?: string
  /**
   * The maker settles it as soon as the transaction has committed, so this process claims it as it inserts it. If the
   * maker fails first, another process takes the job over after its lease.
   */
  awaited?: true
  /** The maker's knowledge of an awaited job's subject, as the transaction leaves it: the handler need not read it. */
  facts?: unknown
  /** An open lane: jobs that share one share its bound, and wait together while it is paused. */
  lane?: string
}

export interface Jobs {
  /** Puts a job into the scope's transaction; it starts after the commit. @returns its id */
  enqueue(scope: Scope, job: NewJob): Promise<string>
  /** Runs a job at once, or waits while another process does, for at most `ms`. True when it is over. */
  settle(team: string, id: string, ms: number): Promise<boolean>
  /**
   * Runs everything of a team that is due, and what becomes due through it, for at most `ms`. Jobs with a lane run
   * independently, unless `lanes` says to wait for them too.
   */
  drain(team: string, ms: number, options?: { lanes?: boolean }): Promise<void>
  start(): Promise<void>
  /** Lets running jobs end, takes no new one. */
  stop(): Promise<void>
}

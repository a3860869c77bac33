import { levelOf } from '../db/fault.js'
import type { Tables } from '../db/tables.js'
import { describeFault } from '../log.js'
import { isAmong } from './claim-queries.js'
import { type JobContext, type Performer, performJob } from './perform-job.js'
import type { Running } from './running.js'

/** The time after which another process takes over a dead process's jobs. Live processes renew their leases. */
export const LEASE_MS = 15_000
export const RENEW_INTERVAL_MS = LEASE_MS / 3

type Row = Tables['jobs']

/** The jobs that are running in this process. */
export interface Runner {
  /** The running jobs, by id. */
  readonly running: ReadonlyMap<string, Running>
  /** Runs a job that this process has claimed. */
  run(row: Row, isAwaited: boolean, context?: JobContext): Promise<unknown>
  /** Logs later errors as warnings, because another process will finish the jobs. */
  stop(): void
}

/** @param onEnd called when a job has ended */
export function createRunner(performer: Performer, onEnd: () => void): Runner {
  const { deps, owner } = performer
  const running = new Map<string, Running>()
  let renewal: NodeJS.Timeout | undefined
  let hasStopped = false

  function renew(): void {
    if (running.size === 0) return
    const jobs = [...running].map(([id, { team }]) => ({ id, team_id: team }))
    deps.store
      .write(tx =>
        tx
          .updateTable('jobs')
          .set({ lease_until: deps.clock() + LEASE_MS })
          .where(isAmong(jobs))
          .where('lease_owner', '=', owner)
          .execute(),
      )
      .catch(error => deps.log(levelOf(error), 'jobs_unreadable', describeFault(error)))
  }

  function run(row: Row, isAwaited: boolean, context?: JobContext): Promise<unknown> {
    const work = performJob(performer, row, context).catch(error => {
      // If this process has stopped, logs any error as a warning, because another process will finish the job.
      deps.log(hasStopped ? 'warn' : levelOf(error), 'job_fault', {
        job: row.kind,
        job_id: row.id,
        request_id: row.request_id ?? undefined,
        ...describeFault(error),
      })
      return false
    })
    running.set(row.id, { team: row.team_id, lane: row.lane, isAwaited, work })
    renewal ??= setInterval(renew, RENEW_INTERVAL_MS).unref()
    return work.finally(() => {
      running.delete(row.id)
      if (running.size === 0) {
        clearInterval(renewal)
        renewal = undefined
      }
      onEnd()
    })
  }

  return {
    running,
    run,
    stop() {
      hasStopped = true
    },
  }
}

import { levelOf } from '../db/fault.js'
import { describeFault } from '../log.js'
import type { Deps, Team } from '../scope.js'
import type { createClaims } from './claims.js'
import type { Runner } from './run-jobs.js'
import { backgroundJobs, countByLane } from './running.js'

/** The maximum number of jobs without a lane that run in parallel. */
export const MAX_JOBS = 20
/** The maximum number of jobs that run in parallel for one team, so that capacity is always left for other teams. */
const MAX_TEAM_JOBS = 16
/**
 * When a job ends, the process claims new jobs only if at most this many are still running, so that one claim can take
 * several. The regular check claims jobs even if only one more can run, so that slow jobs don't block other teams.
 */
const MAX_RUNNING_TO_CLAIM = MAX_JOBS / 2
const POLL_INTERVAL_MS = 500

/** Claims due jobs at intervals, and whenever a job was added or has ended. */
interface Poll {
  /** Checks for due jobs now. If another check is requested during this one, checks again afterward. */
  check(maxRunning?: number): void
  start(): void
  /** Claims no more jobs. @returns the check that is still running, if any */
  stop(): Promise<void> | undefined
}

export function createPoll(
  deps: Pick<Deps, 'teamOf' | 'log'>,
  claims: Pick<ReturnType<typeof createClaims>, 'claim' | 'claimLanes'>,
  runner: Runner,
): Poll {
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let currentCheck: Promise<void> | undefined
  /** The argument for a check that was requested during another check. */
  let pendingCheck: number | undefined

  const capacityOf = (team: string) =>
    MAX_TEAM_JOBS - backgroundJobs(runner.running).filter(each => each.team === team).length

  /** @param maxRunning the first claim is made only if at most this many jobs are running */
  async function claimAndRun(maxRunning: number): Promise<void> {
    for (let count = 1; isStarted && count > 0; maxRunning = MAX_RUNNING_TO_CLAIM) {
      const busy = backgroundJobs(runner.running).length
      const rows = [
        ...(busy <= maxRunning ? await claims.claim(MAX_JOBS - busy, capacityOf) : []),
        ...(await claims.claimLanes(countByLane(runner.running))),
      ]
      // Reads each team once, because most jobs of a claim have the same team.
      const teams = new Map<string, Promise<Team | undefined>>()
      for (const row of rows) {
        const team = teams.get(row.team_id) ?? deps.teamOf(row.team_id)
        teams.set(row.team_id, team)
        void runner.run(row, false, { team })
      }
      count = rows.length
    }
  }

  function check(maxRunning = MAX_RUNNING_TO_CLAIM): void {
    if (!isStarted) return
    if (currentCheck) {
      pendingCheck = Math.max(pendingCheck ?? 0, maxRunning)
      return
    }
    currentCheck = claimAndRun(maxRunning)
      .catch(error => deps.log(levelOf(error), 'jobs_unreadable', describeFault(error)))
      .finally(() => {
        currentCheck = undefined
        const next = pendingCheck
        pendingCheck = undefined
        if (next !== undefined) check(next)
      })
  }

  return {
    check,
    start() {
      isStarted = true
      timer = setInterval(() => check(MAX_JOBS - 1), POLL_INTERVAL_MS)
      timer.unref()
      check()
    },
    stop() {
      isStarted = false
      clearInterval(timer)
      return currentCheck
    },
  }
}

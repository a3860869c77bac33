import { createJobId, randomText } from '../crypto/random.js'
import type { Tables } from '../db/tables.js'
import { within } from '../http/limits/queue.js'
import { type Deps, type Jobs, writeRows } from '../scope.js'
import { createClaims } from './claims.js'
import { moveFutureJobs } from './future.js'
import type { JobHandlers } from './job.js'
import { createPerformer, type JobContext } from './perform-job.js'
import { createPoll, MAX_JOBS } from './poll.js'
import { createRunner, LEASE_MS, RENEW_INTERVAL_MS } from './run-jobs.js'
import { countByLane } from './running.js'
import { hasDueJobs, insertJobs, newJob, selectState } from './statements.js'

export type { JobHandler, JobHandlers } from './job.js'

/** The time allowed for running jobs to finish at shutdown. Another process takes over unfinished jobs. */
const STOP_TIMEOUT_MS = 12_000

type Row = Tables['jobs']
/** A job that this process claimed when inserting it, with the data that its creator provided. */
interface ClaimedJob extends JobContext {
  row: Row
}

export function createJobs(deps: Omit<Deps, 'jobs'>, handlers: JobHandlers): Jobs {
  const owner = randomText(12)
  /** Jobs that have been committed but not yet settled. */
  const claimed = new Map<string, ClaimedJob>()
  const claims = createClaims(deps, Object.keys(handlers), owner, LEASE_MS)

  /** Runs a job that this process claimed when inserting it, unless its lease has ended or is about to end. */
  function startClaimed(id: string): void {
    const job = claimed.get(id)
    claimed.delete(id)
    if (job && job.row.lease_until! > deps.clock() + RENEW_INTERVAL_MS) void runner.run(job.row, true, job)
  }

  /** Removes jobs whose leases ended before their creators settled them. */
  function dropExpired(): void {
    const now = deps.clock()
    for (const [id, { row }] of claimed) if (row.lease_until! <= now) claimed.delete(id)
  }

  const jobs: Jobs = {
    async enqueue(scope, job) {
      const id = job.id ?? createJobId()
      const now = deps.clock()
      const run_at = (job.at ?? scope.now) - scope.team.clockOffset
      // Doesn't claim a job with a unique key, because another job with that key may already exist.
      const isMine = job.awaited === true && run_at <= now && job.unique === undefined && job.lane === undefined
      const row = newJob(scope, job, { id, now, run_at, lease: isMine ? { owner, until: now + LEASE_MS } : null })
      await writeRows(scope, insertJobs, [row])
      const { team } = scope
      if (isMine)
        scope.after(() => {
          dropExpired()
          claimed.set(id, { row, team, facts: job.facts })
        })
      else if (!job.awaited) scope.after(() => poll.check())
      return id
    },
    async settle(team, id, ms) {
      const deadline = performance.now() + ms
      startClaimed(id)
      for (;;) {
        const work = runner.running.get(id)?.work
        if (work) {
          let isOver = false
          const ending = work.then(over => {
            isOver = over
          })
          await within(ending, deadline - performance.now())
          if (isOver) return true
        } else {
          const job = await selectState.first(deps.store.reader, { team, id })
          if (job?.state !== 'ready') return true
          const [row] = await claims.claimOf(1, { team, id })
          if (row) await within(runner.run(row, true), deadline - performance.now())
          else await pause(Math.min(100, Math.max(1, deadline - performance.now())))
        }
        if (performance.now() >= deadline) {
          return (await selectState.first(deps.store.reader, { team, id }))?.state !== 'ready'
        }
      }
    },
    async drain(team, ms, { lanes = false } = {}) {
      const deadline = performance.now() + ms
      for (const [id, { row }] of [...claimed]) if (row.team_id === team) startClaimed(id)
      while (performance.now() < deadline) {
        const rows = [
          ...(await claims.claimOf(MAX_JOBS, { team })),
          ...(lanes ? await claims.claimLanes(countByLane(runner.running), team) : []),
        ]
        for (const row of rows) void runner.run(row, true)
        const works = [...runner.running.values()]
          .filter(each => each.team === team && (lanes || each.lane === null))
          .map(each => each.work)
        if (works.length > 0) await within(Promise.race(works), deadline - performance.now())
        else if (await hasDueJobs(deps.store.reader, deps.clock(), team, lanes)) await pause(50)
        else return
      }
    },
    async start() {
      const { count, ahead } = await deps.store.write(async tx => {
        // Only one process can own a SQLite file, so every lease in the file belongs to a process that has ended. The
        // leases keep their owners, so that the next claims count as takeovers.
        if (deps.store.engine === 'sqlite')
          await tx.updateTable('jobs').set({ lease_until: 0 }).where('lease_owner', 'is not', null).execute()
        return moveFutureJobs(tx, deps.clock())
      })
      if (count > 0) deps.log('warn', 'future_jobs_moved', { jobs: count, ms: ahead })
      poll.start()
    },
    async stop() {
      const check = poll.stop()
      await within(Promise.all([check, ...[...runner.running.values()].map(each => each.work)]), STOP_TIMEOUT_MS)
      runner.stop()
    },
  }
  const runner = createRunner(createPerformer({ ...deps, jobs }, handlers, owner), () => poll.check())
  const poll = createPoll(deps, claims, runner)
  return jobs
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

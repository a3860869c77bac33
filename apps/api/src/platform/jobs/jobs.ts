import { randomText } from '../crypto/random.js'
import { isPassingFault, levelOf } from '../db/fault.js'
import { readJson } from '../db/json.js'
import { savepoint } from '../db/store.js'
import type { Tables } from '../db/tables.js'
import type { Db } from '../db/types.js'
import { within } from '../http/queue.js'
import { describeFault } from '../log.js'
import { OutsideError } from '../outside-error.js'
import { type Deps, depsFor, type Jobs, reading, type Scope, type Team, transact, writeRows } from '../scope.js'
import { createClaims, isAmong } from './claims.js'
import { moveFutureJobs } from './future.js'
import type { Again, JobHandler, JobHandlers } from './job.js'
import { MAX_TAKEOVERS, retryDelay, STORE_RETRY_MS } from './retry.js'
import { background, countByLane, type Running } from './running.js'
import { deleteHeld, type Held, hasDueJobs, insertJobs, isHeld, moveHeld, newJob, stateOf } from './statements.js'

export type { JobHandler, JobHandlers } from './job.js'

/** The time after which another process takes over a dead process's jobs, in ms. Live processes renew their leases. */
const LEASE = 15_000
const RENEW = LEASE / 3
/** The time allowed for running jobs to finish at shutdown, in ms. Another process takes over unfinished jobs. */
const STOPPING = 12_000
const PARALLEL = 20
/** The maximum number of jobs that run in parallel for one team, so that capacity is always left for other teams. */
const OF_TEAM = 16
/**
 * When a job ends, the process claims new jobs only if at most this many are still running, so that one claim can take
 * several. The regular check claims jobs even if only one more can run, so that slow jobs don't block other teams.
 */
const ROOM = PARALLEL / 2
const POLL = 500

type Row = Tables['jobs']
/** Data about a job that the process already has. */
interface Known {
  team: Team | Promise<Team | undefined>
  facts?: unknown
}
/** A job that this process claimed when inserting it, with the data that its creator provided. */
interface Claimed extends Known {
  row: Row
}

export function createJobs(deps: Omit<Deps, 'jobs'>, handlers: JobHandlers): Jobs {
  const me = randomText(12)
  /** The jobs that are running in this process, by id. */
  const running = new Map<string, Running>()
  /** Jobs that have been committed but not yet settled. */
  const claimed = new Map<string, Claimed>()
  let timer: NodeJS.Timeout | undefined
  let renewing: NodeJS.Timeout | undefined
  let started = false
  let stopped = false
  let looking: Promise<void> | undefined
  /** The argument for a check that was requested during another check. */
  let lookAgain: number | undefined

  const { claim, claimOf, claimLanes } = createClaims(deps, Object.keys(handlers), me, LEASE)
  const roomOf = (team: string) => OF_TEAM - background(running).filter(each => each.team === team).length

  function run(row: Row, isAwaited: boolean, known?: Known): Promise<unknown> {
    const work = perform(row, known).catch(error => {
      // If this process has stopped, logs any error as a warning, because another process will finish the job.
      deps.log(stopped ? 'warn' : levelOf(error), 'job_fault', {
        job: row.kind,
        job_id: row.id,
        request_id: row.request_id ?? undefined,
        ...describeFault(error),
      })
      return false
    })
    running.set(row.id, { team: row.team_id, lane: row.lane, isAwaited, work })
    renewing ??= setInterval(renew, RENEW).unref()
    return work.finally(() => {
      running.delete(row.id)
      if (running.size === 0) {
        clearInterval(renewing)
        renewing = undefined
      }
      look()
    })
  }

  /** Runs a job that this process claimed when inserting it, unless its lease has ended or is about to end. */
  function begin(id: string): void {
    const mine = claimed.get(id)
    claimed.delete(id)
    if (mine && mine.row.lease_until! > deps.clock() + RENEW) void run(mine.row, true, mine)
  }

  /** Removes jobs whose leases ended before their creators settled them. */
  function forget(): void {
    const now = deps.clock()
    for (const [id, { row }] of claimed) if (row.lease_until! <= now) claimed.delete(id)
  }

  function renew(): void {
    if (running.size === 0) return
    const mine = [...running].map(([id, { team }]) => ({ id, team_id: team }))
    deps.store
      .write(tx =>
        tx
          .updateTable('jobs')
          .set({ lease_until: deps.clock() + LEASE })
          .where(isAmong(mine))
          .where('lease_owner', '=', me)
          .execute(),
      )
      .catch(error => deps.log(levelOf(error), 'jobs_unreadable', describeFault(error)))
  }

  /** @returns true if the job has ended */
  async function perform(row: Row, known?: Known): Promise<boolean> {
    const handler = handlers[row.kind]
    const team = await (known?.team ?? deps.teamOf(row.team_id))
    if (!handler || !team) throw new Error(`A job of kind ${row.kind} has no handler or no team.`)
    const began = performance.now()
    const count = (outcome: 'done' | 'retry' | 'dead' | 'lost') =>
      deps.metrics.job(row.kind, outcome, performance.now() - began)
    try {
      if (row.takeovers >= MAX_TAKEOVERS) throw new TooManyTakeovers()
      const payload = readJson('jobs.payload', row.payload)
      const save = await handler.run(reading(depsOf(row), team), payload, row.attempts, known?.facts)
      const isOver = await transact(depsOf(row), team, async scope => {
        const result = await save(scope)
        // This must be the transaction's last statement, because the job must still belong to this process when its
        // effect commits.
        const ours = result ? await reschedule(scope.db, row, result) : await deleteHeld.first(scope.db, heldOf(row))
        // mutant: lost-job-has-no-effect (remove)
        if (!ours) throw new LeaseLost()
        return !result
      })
      count('done')
      return isOver
    } catch (error) {
      const outcome = error instanceof LeaseLost ? 'lost' : await fail(row, team, handler, error)
      count(outcome)
      return outcome === 'dead'
    }
  }

  const heldOf = (row: Row): Held => ({ team: row.team_id, id: row.id, owner: me, claims: row.claims })
  const move = moveHeld(deps.store.engine === 'postgres' && deps.environment === 'sandbox')
  const reschedule = (tx: Db, row: Row, { again, as, attempts = 0 }: Again) =>
    move.first(tx, { again, kind: as ?? row.kind, next: attempts, ...heldOf(row) })

  async function fail(row: Row, team: Team, handler: JobHandler, error: unknown): Promise<'retry' | 'dead' | 'lost'> {
    const fault = describeFault(error)
    deps.log('warn', 'job_failed', {
      job: row.kind,
      job_id: row.id,
      attempts: row.attempts,
      failures: row.failures,
      takeovers: row.takeovers,
      team_id: row.team_id,
      request_id: row.request_id ?? undefined,
      ...fault,
    })
    // A call that can't succeed is not retried if the job can save a final result.
    const hopeless = error instanceof OutsideError && !error.retryable && handler.exhausted !== undefined
    const isPoison = error instanceof TooManyTakeovers
    // A failure of the store is not the job's own failure, so it never ends a job.
    const isOwn = !isPoison && !isPassingFault(error)
    const failures = row.failures + (isOwn ? 1 : 0)
    const last = isPoison || hopeless || (isOwn && failures >= (handler.attempts ?? 8))
    return transact(depsOf(row), team, async scope => {
      const result = last ? await giveUp(scope, row, handler) : undefined
      // A job that ends its processes isn't repeated automatically.
      if (result && !isPoison) {
        if (!(await reschedule(scope.db, row, result))) throw new LeaseLost()
        return 'retry' as const
      }
      const wait = isOwn ? retryDelay(failures) : STORE_RETRY_MS
      const mine = await scope.db
        .updateTable('jobs')
        .set({
          state: last ? 'dead' : 'ready',
          run_at: deps.clock() + wait,
          lease_owner: null,
          lease_until: null,
          failures,
          // The process survived this run.
          ...(isPoison ? {} : { takeovers: 0 }),
          last_error: fault.fault,
        })
        .where(isHeld(heldOf(row)))
        .returning('id')
        .executeTakeFirst()
      if (!mine) throw new LeaseLost()
      return last ? ('dead' as const) : ('retry' as const)
    }).catch(lost => {
      if (!(lost instanceof LeaseLost)) throw lost
      return 'lost' as const
    })
  }

  /** Saves the final result of a job that is given up. An error while saving it must not keep the job running. */
  async function giveUp(scope: Scope, row: Row, handler: JobHandler): Promise<{ again: number } | undefined> {
    try {
      return await savepoint(scope.db, async () => handler.exhausted?.(scope, readJson('jobs.payload', row.payload)))
    } catch (error) {
      if (isPassingFault(error)) throw error
      deps.log('error', 'job_fault', { job: row.kind, job_id: row.id, ...describeFault(error) })
      return undefined
    }
  }

  /** @param most the first claim is made only if at most this many jobs are running */
  async function pass(most: number): Promise<void> {
    for (let found = 1; started && found > 0; most = ROOM) {
      const busy = background(running).length
      const rows = [
        ...(busy <= most ? await claim(PARALLEL - busy, roomOf) : []),
        ...(await claimLanes(countByLane(running))),
      ]
      // Reads each team once, because most jobs of a claim have the same team.
      const teams = new Map<string, Promise<Team | undefined>>()
      for (const row of rows) {
        const team = teams.get(row.team_id) ?? deps.teamOf(row.team_id)
        teams.set(row.team_id, team)
        void run(row, false, { team })
      }
      found = rows.length
    }
  }

  /** Checks for due jobs now. If another check is requested during this one, checks again afterward. */
  function look(most = ROOM): void {
    if (!started) return
    if (looking) {
      lookAgain = Math.max(lookAgain ?? 0, most)
      return
    }
    looking = pass(most)
      .catch(error => deps.log(levelOf(error), 'jobs_unreadable', describeFault(error)))
      .finally(() => {
        looking = undefined
        const again = lookAgain
        lookAgain = undefined
        if (again !== undefined) look(again)
      })
  }

  const jobs: Jobs = {
    async enqueue(scope, job) {
      const id = `job_${randomText(20)}`
      const now = deps.clock()
      const run_at = (job.at ?? scope.now) - scope.team.clockOffset
      // Doesn't claim a job with a unique key, because another job with that key may already exist.
      const isMine = job.awaited === true && run_at <= now && job.unique === undefined && job.lane === undefined
      const row = newJob(scope, job, { id, now, run_at, lease: isMine ? { owner: me, until: now + LEASE } : null })
      await writeRows(scope, insertJobs, [row])
      const { team } = scope
      if (isMine)
        scope.after(() => {
          forget()
          claimed.set(id, { row, team, facts: job.facts })
        })
      else if (!job.awaited) scope.after(() => look())
      return id
    },
    async settle(team, id, ms) {
      const deadline = performance.now() + ms
      begin(id)
      for (;;) {
        const mine = running.get(id)?.work
        if (mine) {
          let isOver = false
          const ending = mine.then(over => {
            isOver = over
          })
          await within(ending, deadline - performance.now())
          if (isOver) return true
        } else {
          const row = await stateOf.first(deps.store.reader, { team, id })
          if (row?.state !== 'ready') return true
          const [claimed] = await claimOf(1, { team, id })
          if (claimed) await within(run(claimed, true), deadline - performance.now())
          else await pause(Math.min(100, Math.max(1, deadline - performance.now())))
        }
        if (performance.now() >= deadline) {
          return (await stateOf.first(deps.store.reader, { team, id }))?.state !== 'ready'
        }
      }
    },
    async drain(team, ms, { lanes = false } = {}) {
      const deadline = performance.now() + ms
      for (const [id, { row }] of [...claimed]) if (row.team_id === team) begin(id)
      while (performance.now() < deadline) {
        const rows = [
          ...(await claimOf(PARALLEL, { team })),
          ...(lanes ? await claimLanes(countByLane(running), team) : []),
        ]
        for (const row of rows) void run(row, true)
        const mine = [...running.values()]
          .filter(each => each.team === team && (lanes || each.lane === null))
          .map(each => each.work)
        if (mine.length > 0) await within(Promise.race(mine), deadline - performance.now())
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
      started = true
      timer = setInterval(() => look(PARALLEL - 1), POLL)
      timer.unref()
      look()
    },
    async stop() {
      started = false
      clearInterval(timer)
      const work = Promise.all([looking, ...[...running.values()].map(each => each.work)])
      await within(work, STOPPING)
      stopped = true
    },
  }
  const all: Deps = { ...deps, jobs }
  const depsOf = ({ request_id }: Row) => depsFor(all, request_id ?? undefined)
  return jobs
}

class LeaseLost extends Error {}

class TooManyTakeovers extends Error {
  override readonly name = 'TooManyTakeovers'
  constructor() {
    super(`The process that ran this job ended ${MAX_TAKEOVERS} times in a row.`)
  }
}

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

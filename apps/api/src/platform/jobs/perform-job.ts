import { OutsideError } from '@causeway/connector/ports/outside-error'
import { isTemporaryFault } from '../db/fault.js'
import { readJson } from '../db/json.js'
import { savepoint } from '../db/store.js'
import type { Tables } from '../db/tables.js'
import type { Db } from '../db/types.js'
import { describeFault, type Log } from '../log.js'
import { type Deps, depsFor, reading, type Scope, type Team, transact } from '../scope.js'
import type { JobHandler, JobHandlers, NextRun } from './job.js'
import { MAX_TAKEOVERS, retryDelay, STORE_RETRY_MS } from './retry.js'
import { deleteClaimed, matchesClaim, type OwnClaim, rescheduleClaimed } from './statements.js'

type Row = Tables['jobs']

/** Data about a job that the process already has. */
export interface JobContext {
  team: Team | Promise<Team | undefined>
  facts?: unknown
}

/** The dependencies of a process that runs jobs. */
export interface Performer {
  readonly deps: Deps
  readonly handlers: JobHandlers
  readonly owner: string
  /** Schedules another run of a job. Returns undefined if another process has since claimed the job. */
  reschedule(tx: Db, row: Row, again: NextRun): Promise<unknown>
}

const claimOf = ({ owner }: Pick<Performer, 'owner'>, row: Row): OwnClaim => ({
  team: row.team_id,
  id: row.id,
  owner,
  claims: row.claims,
})

const depsForJob = (deps: Deps, { request_id }: Row) => depsFor(deps, request_id ?? undefined)

/** @param owner the name under which this process claims jobs */
export function createPerformer(deps: Deps, handlers: JobHandlers, owner: string): Performer {
  const move = rescheduleClaimed(deps.store.engine === 'postgres' && deps.environment === 'sandbox')
  return {
    deps,
    handlers,
    owner,
    reschedule: (tx, row, { again, as, attempts = 0 }) =>
      move.first(tx, { again, kind: as ?? row.kind, next: attempts, ...claimOf({ owner }, row) }),
  }
}

/** Runs a job that this process has claimed. @returns true if the job has ended */
export async function performJob(performer: Performer, row: Row, context?: JobContext): Promise<boolean> {
  const { deps, handlers } = performer
  const handler = handlers[row.kind]
  const team = await (context?.team ?? deps.teamOf(row.team_id))
  if (!handler || !team) throw new Error(`A job of kind ${row.kind} has no handler or no team.`)
  const startedAt = performance.now()
  const count = (outcome: 'done' | 'retry' | 'dead' | 'lost') =>
    deps.metrics.job(row.kind, outcome, performance.now() - startedAt)
  try {
    if (row.takeovers >= MAX_TAKEOVERS) throw new TooManyTakeovers()
    const payload = readJson('jobs.payload', row.payload)
    const save = await handler.run(reading(depsForJob(deps, row), team), payload, row.attempts, context?.facts)
    const isOver = await transact(depsForJob(deps, row), team, async scope => {
      const result = await save(scope)
      // This must be the transaction's last statement, because the job must still belong to this process when its
      // effect commits.
      const saved = result
        ? await performer.reschedule(scope.db, row, result)
        : await deleteClaimed.first(scope.db, claimOf(performer, row))
      // mutant: lost-job-has-no-effect (remove)
      if (!saved) throw new LeaseLost()
      return !result
    })
    count('done')
    return isOver
  } catch (error) {
    const outcome = error instanceof LeaseLost ? 'lost' : await recordFailure(performer, row, team, handler, error)
    count(outcome)
    return outcome === 'dead'
  }
}

async function recordFailure(
  performer: Performer,
  row: Row,
  team: Team,
  handler: JobHandler,
  error: unknown,
): Promise<'retry' | 'dead' | 'lost'> {
  const { deps } = performer
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
  const isHopeless = error instanceof OutsideError && !error.retryable && handler.exhausted !== undefined
  const isPoison = error instanceof TooManyTakeovers
  // A failure of the store is not the job's own failure, so it never ends a job.
  const isOwn = !isPoison && !isTemporaryFault(error)
  const failures = row.failures + (isOwn ? 1 : 0)
  const isLast = isPoison || isHopeless || (isOwn && failures >= (handler.attempts ?? 8))
  return transact(depsForJob(deps, row), team, async scope => {
    const result = isLast ? await saveFinalResult(deps.log, scope, row, handler) : undefined
    // A job that ends its processes isn't repeated automatically.
    if (result && !isPoison) {
      if (!(await performer.reschedule(scope.db, row, result))) throw new LeaseLost()
      return 'retry' as const
    }
    const wait = isOwn ? retryDelay(failures) : STORE_RETRY_MS
    const updated = await scope.db
      .updateTable('jobs')
      .set({
        state: isLast ? 'dead' : 'ready',
        run_at: deps.clock() + wait,
        lease_owner: null,
        lease_until: null,
        failures,
        // The process survived this run.
        ...(isPoison ? {} : { takeovers: 0 }),
        last_error: fault.fault,
      })
      .where(matchesClaim(claimOf(performer, row)))
      .returning('id')
      .executeTakeFirst()
    if (!updated) throw new LeaseLost()
    return isLast ? ('dead' as const) : ('retry' as const)
  }).catch(error => {
    if (!(error instanceof LeaseLost)) throw error
    return 'lost' as const
  })
}

/** Saves the final result of a job that is given up. An error while saving it must not keep the job running. */
async function saveFinalResult(
  log: Log,
  scope: Scope,
  row: Row,
  handler: JobHandler,
): Promise<{ again: number } | undefined> {
  try {
    return await savepoint(scope.db, async () => handler.exhausted?.(scope, readJson('jobs.payload', row.payload)))
  } catch (error) {
    if (isTemporaryFault(error)) throw error
    log('error', 'job_fault', { job: row.kind, job_id: row.id, ...describeFault(error) })
    return undefined
  }
}

class LeaseLost extends Error {}

class TooManyTakeovers extends Error {
  override readonly name = 'TooManyTakeovers'
  constructor() {
    super(`The process that ran this job ended ${MAX_TAKEOVERS} times in a row.`)
  }
}

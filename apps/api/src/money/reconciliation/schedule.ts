/** Schedules the comparison of statements: each day, and on demand. */
import { DAY_MS, MINUTE_MS } from '@causeway/contract/time'
import { describeFault } from '../../platform/log.js'
import { type Deps, type Scope, transact } from '../../platform/scope.js'
import { listTeamsOf } from './all-teams.js'
import { addRun } from './store.js'

/** The time between two comparisons of a team with a provider. */
const RUN_INTERVAL_MS = DAY_MS
/** The time between two searches for comparisons that are due. */
const SEARCH_INTERVAL_MS = 10 * MINUTE_MS
/**
 * The days that each comparison reads again: lines can be posted late, and a difference is resolved only if the line is
 * read again.
 */
const WINDOW_MS = 7 * DAY_MS
/** The days before the last complete comparison that are read again, if it is longer ago than the window. */
const OVERLAP_MS = 2 * DAY_MS
/** The days that the first comparison reads, and the age of the oldest payment that a line may still be missing for. */
export const HISTORY_MS = 90 * DAY_MS
/** The delay between the comparisons of two teams, so that not all of them start at once. */
const STAGGER_MS = 5_000

export const RUN_KIND = 'reconciliation.run'

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/**
 * Schedules one team's comparison with a provider, unless it is not due or already waits. Of several processes, one
 * schedules it.
 * @param dueBefore the time of the previous comparison from which another is not due, in epoch milliseconds
 * @returns true if a comparison waits or runs now
 */
async function scheduleRun(scope: Scope, provider: string, dueBefore: number, delayMs: number): Promise<boolean> {
  const { db, team, deps } = scope
  const now = deps.clock()
  await db
    .insertInto('reconciliation_states')
    .values({ team_id: team.id, provider, scheduled_at: 0, complete_at: now, has_run: 0 })
    .onConflict(conflict => conflict.columns(['team_id', 'provider']).doNothing())
    .execute()
  const state = await db
    .updateTable('reconciliation_states')
    .set({ scheduled_at: now })
    .where('team_id', '=', team.id)
    .where('provider', '=', provider)
    // mutant: one-process-schedules (remove)
    .where('scheduled_at', '<=', dueBefore)
    .returning(['complete_at', 'has_run'])
    .executeTakeFirst()
  if (!state) return false
  const unique = `${RUN_KIND} ${provider}`
  const waiting = await db
    .selectFrom('jobs')
    .select('id')
    .where('team_id', '=', team.id)
    .where('unique_key', '=', unique)
    .executeTakeFirst()
  if (waiting) return true
  const from = state.has_run === 1 ? Math.min(now - WINDOW_MS, state.complete_at - OVERLAP_MS) : now - HISTORY_MS
  const days = { from: dayOf(from), to: dayOf(now) }
  const id = await addRun(db, { team: team.id, provider }, days, now)
  await deps.jobs.enqueue(scope, {
    ...{ kind: RUN_KIND, payload: { provider, run: id }, unique, at: scope.now + delayMs, clocked: false },
  })
  return true
}

/** Which comparisons to schedule. */
interface ScheduleInput {
  /** The id of a team, or null for all that have used the provider. */
  team: string | null
  /** The name of a provider, or null for all. */
  provider: string | null
  dueBefore: number
}

/** Schedules comparisons that are due. @returns the number of those that wait or run now */
export async function scheduleReconciliations(
  deps: Deps,
  { team, provider, dueBefore }: ScheduleInput,
  shouldContinue: () => boolean = () => true,
): Promise<number> {
  let count = 0
  for (const source of deps.statements.filter(each => provider === null || each.provider === provider)) {
    let after = ''
    for (let isOver = false; !isOver && shouldContinue(); ) {
      const teams = team === null ? await listTeamsOf(deps.store.reader, source.provider, after, dueBefore) : [team]
      for (const id of teams) {
        const row = await deps.teamOf(id)
        if (!row) continue
        const isScheduled = await transact(deps, row, scope =>
          scheduleRun(scope, source.provider, dueBefore, count * STAGGER_MS),
        )
        if (isScheduled) count++
      }
      after = teams.at(-1) ?? ''
      isOver = team !== null || teams.length === 0
    }
  }
  return count
}

/** Schedules the daily comparisons: searches immediately, and then every ten minutes. @returns a function that stops it */
export function watchStatements(deps: Deps): () => Promise<void> {
  let isStopped = false
  let running: Promise<unknown> = Promise.resolve()
  const search = () => {
    running = running
      .then(() =>
        scheduleReconciliations(
          deps,
          { team: null, provider: null, dueBefore: deps.clock() - RUN_INTERVAL_MS },
          () => !isStopped,
        ),
      )
      .catch(error => deps.log('warn', 'reconciliation_unscheduled', describeFault(error)))
  }
  const timer = setInterval(search, SEARCH_INTERVAL_MS)
  timer.unref()
  if (deps.statements.length > 0) search()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await running
  }
}

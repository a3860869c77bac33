import { HOUR_MS } from '@causeway/contract/time'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import { comparePages, compareResources, coveredTime, emptyProgress, type Progress } from './reconcile.js'
import { HISTORY_MS } from './schedule.js'
import { completeRun } from './store.js'

/** The time after which a job lets others run, and saves what is done. Stopping the service waits no longer. */
const SLICE_MS = 5_000
/** The time between attempts after the first ones failed. */
const RETRY_MS = HOUR_MS

const progressJson = jsonColumn<Progress>('reconciliations.progress')

const selectRun = ({ db, team }: Scope, id: string) =>
  db.selectFrom('reconciliations').selectAll().where('team_id', '=', team.id).where('id', '=', id).executeTakeFirst()

const updateRun = ({ db, team }: Scope, id: string, changes: { status?: 'failed'; progress: string | null }) =>
  db.updateTable('reconciliations').set(changes).where('team_id', '=', team.id).where('id', '=', id).execute()

/**
 * Compares a statement, in parts. A provider that does not answer fails the part, which is repeated: a run is complete only after
 * its last page.
 */
export const runReconciliation: JobHandler = {
  async run(scope, { provider, run: id = '' }) {
    const { deps, team } = scope
    const source = deps.statements.find(each => each.provider === provider)
    const row = await selectRun(scope, id)
    if (!row) return async () => undefined
    if (!source)
      return async ending => {
        await updateRun(ending, id, { status: 'failed', progress: null })
        return undefined
      }
    const input = { source, team, from: row.from_day, to: row.to_day, resourcesSince: row.created_at - HISTORY_MS }
    const progress = await comparePages(
      deps,
      input,
      row.progress === null ? emptyProgress() : progressJson.read(row.progress),
      SLICE_MS,
    )
    if (progress.cursor !== null)
      return async ending => {
        await updateRun(ending, id, { progress: progressJson.write(progress) })
        return { again: ending.now }
      }
    const result = await compareResources(deps, input, progress)
    return async ending => {
      await completeRun(ending.db, row, result, coveredTime(input, row.created_at), deps.clock())
      await ending.db
        .updateTable('reconciliation_states')
        .set({ complete_at: row.created_at, has_run: 1 })
        .where('team_id', '=', team.id)
        .where('provider', '=', row.provider)
        .execute()
      if (result.exceptions > 0)
        deps.log('warn', 'reconciliation_exceptions', { provider: source.provider, team_id: team.id })
      return undefined
    }
  },
  async exhausted(scope, { run: id = '' }) {
    // Begins with the first page, in case the provider no longer accepts the cursor.
    await updateRun(scope, id, { status: 'failed', progress: null })
    return { again: scope.now + RETRY_MS }
  },
}

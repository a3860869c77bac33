import type { ReportType } from '@causeway/contract/resources/report'
import { emit } from '../../notify/emit.js'
import { createId } from '../../platform/crypto/random.js'
import type { Scope } from '../../platform/scope.js'
import { reportRules } from './report.js'
import { type ReportRow, showReport } from './store.js'

interface NewReport {
  /** The time that determines the report's period. */
  at: number
  metadata?: ReportRow['metadata']
  /** True if the caller runs the job with `settle`. */
  awaited: boolean
  /** The schedule whose recipients get the report by email. */
  schedule?: string | undefined
}

/**
 * Creates a report and enqueues the job that writes its file.
 * @returns the report and that job
 */
export async function createReport(
  scope: Scope,
  type: ReportType,
  { at, metadata = null, awaited, schedule }: NewReport,
): Promise<{ row: ReportRow; job: string }> {
  const { from, to } = reportRules[type][1](at)
  const row: ReportRow = {
    id: createId('report', scope.now),
    team_id: scope.team.id,
    type,
    from_time: from,
    to_time: to,
    metadata,
    file: null,
    created_at: scope.now,
    updated_at: scope.now,
  }
  await scope.db.insertInto('reports').values(row).execute()
  await emit(scope, 'report.create', showReport(scope, row))
  const job = await scope.deps.jobs.enqueue(scope, {
    kind: 'report.make',
    payload: { report: row.id, ...(schedule !== undefined && { schedule }) },
    ...(awaited ? { awaited } : {}),
  })
  return { row, job }
}

import { readJson } from '../../platform/db/json.js'
import type { Tables } from '../../platform/db/tables.js'
import { findRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'

export type ReportRow = Tables['reports']

export const findReport = (scope: Scope, id: string): Promise<ReportRow | undefined> => findRow(scope, 'reports', id)

/** Returns a report in its API format. */
export function showReport({ deps }: Scope, row: ReportRow): Record<string, unknown> & { id: string } {
  const isCompleted = row.file !== null
  return {
    id: row.id,
    type: row.type,
    url: isCompleted ? `${deps.apiOrigin}/reports/${row.id}/download` : null,
    status: isCompleted ? 'completed' : 'processing',
    metadata: readJson('reports.metadata', row.metadata),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

/** Yields a file's text, part by part. */
export async function* readFile({ db, team }: Scope, file: string): AsyncGenerator<string> {
  for (let number = 0; ; number += 1) {
    const query = db
      .selectFrom('report_parts')
      .select('text')
      .where('team_id', '=', team.id)
      .where('file', '=', file)
      .where('number', '=', number)
    const part = await query.executeTakeFirst()
    if (!part) return
    yield part.text
  }
}

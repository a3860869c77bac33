import { HOUR_MS } from '@causeway/contract/time'
import { emit } from '../../notify/emit.js'
import { randomText } from '../../platform/crypto/random.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { reportText } from './rows.js'
import { findReport, showReport } from './store.js'

export const MAIL_REPORT_JOB = 'report.mail'

/**
 * Writes a report's file once, in parts that fit in memory, so that every reader receives the same bytes. Each attempt
 * writes its own file; the first one to finish becomes the report's file.
 */
export const makeReport: JobHandler = {
  async run(scope, payload) {
    const report = await findReport(scope, payload['report'] ?? '')
    if (!report || report.file !== null) return async () => undefined
    const { id } = report
    const file = randomText(20)
    let number = 0
    for await (const text of reportText(scope, report)) {
      const part = { team_id: scope.team.id, file, number, report_id: id, text }
      await scope.deps.store.write(tx => tx.insertInto('report_parts').values(part).execute())
      number += 1
    }
    return async saving => {
      const updated = await saving.db
        .updateTable('reports')
        .set({ file, updated_at: saving.now })
        .where('team_id', '=', saving.team.id)
        .where('id', '=', id)
        .where('file', 'is', null)
        .returningAll()
        .executeTakeFirst()
      await saving.db
        .deleteFrom('report_parts')
        .where('team_id', '=', saving.team.id)
        .where('report_id', '=', id)
        .where('file', updated ? '<>' : '=', file)
        .execute()
      if (!updated) return undefined
      await emit(saving, 'report.update', showReport(saving, updated), showReport(saving, report))
      const { schedule } = payload
      if (schedule !== undefined)
        await saving.deps.jobs.enqueue(saving, { kind: MAIL_REPORT_JOB, payload: { report: id, schedule } })
      return undefined
    }
  },
  /** Retries after an hour. The report is still needed, and the failures may have been temporary. */
  async exhausted(scope) {
    return { again: scope.now + HOUR_MS }
  },
}

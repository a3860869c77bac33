import { HOUR_MS } from '@causeway/contract/time'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { lockRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import { createReport } from '../reports/create.js'
import { nextRun } from './next-run.js'
import { readLists, type ScheduleRow, updateSchedule } from './store.js'

export const RUN_SCHEDULE_JOB = 'report_schedule.run'

/** Enqueues the job for a schedule's next run. */
export async function enqueueRun(scope: Scope, { id, next_at: at }: ScheduleRow): Promise<void> {
  if (at === null) return
  await scope.deps.jobs.enqueue(scope, { kind: RUN_SCHEDULE_JOB, payload: { schedule: id, at: String(at) }, at })
}

/**
 * Creates a schedule's reports as of the scheduled time, and enqueues the next run in the same transaction. Each run
 * therefore happens once, and a run that was missed happens later. A job whose time is no longer the schedule's next run
 * does nothing.
 */
export const runSchedule: JobHandler = {
  async run(_scope, payload) {
    return async saving => {
      const schedule = await lockRow(saving, 'report_schedules', payload['schedule'] ?? '')
      const at = schedule?.next_at ?? null
      // mutant: outdated-run-creates-nothing (drop 3)
      if (!schedule || at === null || String(at) !== payload['at']) return undefined
      const { types, delivery_methods } = readLists(saving, schedule)
      const mailed = delivery_methods.includes('email') ? schedule.id : undefined
      for (const type of types) await createReport(saving, type, { at, awaited: false, schedule: mailed })
      const next_at = nextRun(schedule.cron, at)
      await enqueueRun(saving, await updateSchedule(saving, schedule.id, { next_at }))
      return undefined
    }
  },
  /** Retries after an hour. The run is still due, and the failures may have been temporary. */
  async exhausted(scope) {
    return { again: scope.now + HOUR_MS }
  },
}

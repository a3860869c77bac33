import type { ReportType } from '@causeway/contract/resources/report'
import type { DeliveryMethod } from '@causeway/contract/resources/report-schedule'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Tables } from '../../platform/db/tables.js'
import { type Scope, sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'

export type ScheduleRow = Tables['report_schedules']

/** The lists of a schedule. */
export interface ScheduleLists {
  types: readonly ReportType[]
  delivery_methods: readonly DeliveryMethod[]
  /** Empty if there are none. */
  recipients: readonly string[]
}

const listJson = {
  types: jsonColumn<readonly ReportType[]>('report_schedules.types'),
  delivery_methods: jsonColumn<readonly DeliveryMethod[]>('report_schedules.delivery_methods'),
  recipients: jsonColumn<readonly string[]>('report_schedules.recipients'),
}

/** Reads the lists of a stored schedule. */
export function readLists(scope: Scope, row: ScheduleRow): ScheduleLists {
  const recipients = row.recipients && sealer(scope).open({ id: row.id, field: 'recipients' }, row.recipients)
  return {
    types: listJson.types.read(row.types),
    delivery_methods: listJson.delivery_methods.read(row.delivery_methods),
    recipients: recipients ? listJson.recipients.read(recipients) : [],
  }
}

/** Returns the columns that store lists. Recipients are sealed, because they are personal data. */
export const listColumns = (scope: Scope, id: string, { types, delivery_methods, recipients }: ScheduleLists) => ({
  types: listJson.types.write(types),
  delivery_methods: listJson.delivery_methods.write(delivery_methods),
  recipients:
    recipients.length === 0
      ? null
      : sealer(scope).seal({ id, field: 'recipients' }, listJson.recipients.write(recipients)),
})

/** Returns a schedule in its API format. */
export function showSchedule(scope: Scope, row: ScheduleRow) {
  const { recipients, ...lists } = readLists(scope, row)
  return {
    id: row.id,
    ...lists,
    recipients: recipients.length === 0 ? null : recipients,
    cron: row.cron,
    status: row.status,
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

/** Changes a locked schedule. */
export const updateSchedule = (
  { db, team, now }: Scope,
  id: string,
  change: Partial<ScheduleRow>,
): Promise<ScheduleRow> =>
  db
    .updateTable('report_schedules')
    .set({ ...change, updated_at: now })
    .where('team_id', '=', team.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

import { DEFAULT_CRON, endpoints, MAX_RECIPIENTS, MAX_SCHEDULES } from '@causeway/contract/endpoints/report-schedules'
import { ServiceError } from '@causeway/contract/errors'
import { createId } from '../../platform/crypto/random.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { gone, one, type Route } from '../../platform/http/endpoint/route.js'
import { findRow, lockRow, orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import { nextRun } from './next-run.js'
import { enqueueRun } from './run-schedule.js'
import { listColumns, readLists, type ScheduleLists, type ScheduleRow, showSchedule, updateSchedule } from './store.js'

/** Checks the rules that involve several lists. Throws INVALID_REQUEST or TEAM_CAPABILITY_RESTRICTED. */
function checkLists({ mail }: Ctx['deps'], { delivery_methods, recipients }: ScheduleLists): void {
  const isMailed = delivery_methods.includes('email')
  if (isMailed && mail === null)
    throw new ServiceError('TEAM_CAPABILITY_RESTRICTED', 'This service does not send email. Use the webhook method.')
  if (isMailed && recipients.length === 0)
    throw new ServiceError('INVALID_REQUEST', 'recipients must have at least one address for the method email.')
  if (recipients.length > MAX_RECIPIENTS)
    throw new ServiceError('INVALID_REQUEST', `A schedule can have at most ${MAX_RECIPIENTS} recipients.`)
}

/** Locks a schedule that can change. Throws NOT_FOUND, or INVALID_STATUS if it is inactive. */
async function lockActive(ctx: Ctx, id: string): Promise<ScheduleRow> {
  const row = orNotFound(await lockRow(ctx, 'report_schedules', id))
  if (row.status !== 'active')
    throw new ServiceError('INVALID_STATUS', `Report schedule ${id} is inactive. Create a new schedule.`)
  return row
}

/** Changes a schedule's lists and returns the schedule. */
async function changeLists(ctx: Ctx, id: string, change: (lists: ScheduleLists) => Partial<ScheduleLists>) {
  const row = await lockActive(ctx, id)
  const before = readLists(ctx, row)
  const lists = { ...before, ...change(before) }
  checkLists(ctx.deps, lists)
  return one(showSchedule(ctx, await updateSchedule(ctx, id, listColumns(ctx, id, lists))))
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

/**
 * Removes a value from a list. Throws INVALID_REQUEST if the list does not have the value, or has no other.
 * @param name the name of the value, such as `type`
 */
function without<T extends string>(name: string, values: readonly T[], value: string): T[] {
  if (!values.some(each => each === value))
    throw new ServiceError('INVALID_REQUEST', `${name} must be one that the schedule has.`)
  // mutant: last-value-stays (remove)
  if (values.length === 1)
    throw new ServiceError(
      'INVALID_REQUEST',
      `${name} must not be the last one of the schedule. Add another one first.`,
    )
  return values.filter(each => each !== value)
}

export const scheduleRoutes: Route[] = [
  implement(endpoints.createReportSchedule, {
    async handle(ctx, { body }) {
      const lists = {
        types: unique(body.types),
        delivery_methods: unique(body.delivery_methods),
        recipients: unique(body.recipients ?? []),
      }
      checkLists(ctx.deps, lists)
      const active = await ctx.db
        .selectFrom('report_schedules')
        .select('id')
        .where('team_id', '=', ctx.team.id)
        .where('status', '=', 'active')
        .limit(MAX_SCHEDULES)
        .execute()
      if (active.length === MAX_SCHEDULES)
        throw new ServiceError(
          'INVALID_REQUEST',
          `A team can have at most ${MAX_SCHEDULES} active report schedules. Delete one first.`,
        )
      const id = createId('report_schedule', ctx.now)
      const cron = body.cron ?? DEFAULT_CRON
      const row: ScheduleRow = {
        id,
        team_id: ctx.team.id,
        ...listColumns(ctx, id, lists),
        cron,
        status: 'active',
        next_at: nextRun(cron, ctx.now),
        created_at: ctx.now,
        updated_at: ctx.now,
      }
      await ctx.db.insertInto('report_schedules').values(row).execute()
      await enqueueRun(ctx, row)
      return one(showSchedule(ctx, row))
    },
  }),
  implement(endpoints.listReportSchedules, {
    async handle(ctx) {
      const { rows, headers } = await page(ctx, 'report_schedule', from =>
        from('report_schedules').where('team_id', '=', ctx.team.id),
      )
      return { shape: 'list', body: rows.map(row => showSchedule(ctx, row)), headers }
    },
  }),
  implement(endpoints.retrieveReportSchedule, {
    handle: async (ctx, { params }) =>
      one(showSchedule(ctx, orNotFound(await findRow(ctx, 'report_schedules', params.rpt_sch_id)))),
  }),
  implement(endpoints.updateReportSchedule, {
    async handle(ctx, { params, body: { cron } }) {
      const { id } = await lockActive(ctx, params.rpt_sch_id)
      const row = await updateSchedule(ctx, id, { cron, next_at: nextRun(cron, ctx.now) })
      await enqueueRun(ctx, row)
      return one(showSchedule(ctx, row))
    },
  }),
  implement(endpoints.deleteReportSchedule, {
    async handle(ctx, { params }) {
      const { id } = orNotFound(await lockRow(ctx, 'report_schedules', params.rpt_sch_id))
      await updateSchedule(ctx, id, { status: 'inactive', next_at: null })
      return gone
    },
  }),
  implement(endpoints.addReportScheduleType, {
    handle: (ctx, { params, body }) =>
      changeLists(ctx, params.rpt_sch_id, ({ types }) => ({ types: unique([...types, body.type]) })),
  }),
  implement(endpoints.replaceReportScheduleTypes, {
    handle: (ctx, { params, body }) => changeLists(ctx, params.rpt_sch_id, () => ({ types: unique(body.types) })),
  }),
  implement(endpoints.removeReportScheduleType, {
    handle: (ctx, { params, query }) =>
      changeLists(ctx, params.rpt_sch_id, ({ types }) => ({ types: without('type', types, query.get('type')) })),
  }),
  implement(endpoints.addReportScheduleMethod, {
    handle: (ctx, { params, body }) =>
      changeLists(ctx, params.rpt_sch_id, ({ delivery_methods }) => ({
        delivery_methods: unique([...delivery_methods, body.delivery_method]),
      })),
  }),
  implement(endpoints.replaceReportScheduleMethods, {
    handle: (ctx, { params, body }) =>
      changeLists(ctx, params.rpt_sch_id, () => ({ delivery_methods: unique(body.delivery_methods) })),
  }),
  implement(endpoints.removeReportScheduleMethod, {
    handle: (ctx, { params, query }) =>
      changeLists(ctx, params.rpt_sch_id, ({ delivery_methods }) => ({
        delivery_methods: without('delivery_method', delivery_methods, query.get('delivery_method')),
      })),
  }),
  implement(endpoints.addReportScheduleRecipient, {
    handle: (ctx, { params, body }) =>
      changeLists(ctx, params.rpt_sch_id, ({ recipients }) => ({
        recipients: unique([...recipients, body.recipient]),
      })),
  }),
  implement(endpoints.replaceReportScheduleRecipients, {
    handle: (ctx, { params, body }) =>
      changeLists(ctx, params.rpt_sch_id, () => ({ recipients: unique(body.recipients) })),
  }),
  implement(endpoints.removeReportScheduleRecipient, {
    handle: (ctx, { params, query }) =>
      changeLists(ctx, params.rpt_sch_id, ({ recipients }) => ({
        recipients: without('recipient', recipients, query.get('recipient')),
      })),
  }),
]

import { z } from 'zod'
import { endpoint, type Family, paging } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { reportTypes } from '../resources/report.js'
import { deliveryMethods, reportSchedule } from '../resources/report-schedule.js'
import { emailText } from '../text.js'
import { parseCron } from '../values/cron.js'

/** The maximum number of a team's active schedules. */
export const MAX_SCHEDULES = 50
/** The maximum number of a schedule's recipients. */
export const MAX_RECIPIENTS = 20
export const DEFAULT_CRON = '0 8 * * 1-5'

const since = '2024-04-04'

const type = z.enum(reportTypes)
const deliveryMethod = z.enum(deliveryMethods)
const recipient = emailText('must be an email address, such as ops@example.com')
const types = z.array(type).min(1).max(reportTypes.length)
const methods = z.array(deliveryMethod).min(1).max(deliveryMethods.length)
const recipients = z.array(recipient).min(1).max(MAX_RECIPIENTS)
const cronError =
  'must be five fields that run at most once an hour: one minute, hours, days, months and weekdays, such as 0 8 * * 1-5'
const cron = z
  .string()
  .max(100, { error: cronError, abort: true })
  .refine(text => parseCron(text) !== null, cronError)

const example = {
  id: 'rpt_sch_4kYq8ZbT1mXf2',
  types: ['payments.created.previous_day'],
  delivery_methods: ['webhook'],
  recipients: null,
  cron: DEFAULT_CRON,
  status: 'active',
  ...examples.times,
}

/** The errors of every change: the schedule may be inactive. */
const errors = ['INVALID_STATUS'] as const

export const endpoints = {
  createReportSchedule: endpoint({
    method: 'POST',
    path: '/report_schedules',
    summary: 'Create a report schedule',
    description: `Each run creates a report of every type, as of the scheduled time. Times are on the clock in Chicago. A time that the clock skips in spring runs an hour later, and a time that it repeats in fall runs once. A run that is missed because the service is down happens later. A team can have at most ${MAX_SCHEDULES} active schedules.`,
    since,
    body: z.object({
      types,
      delivery_methods: methods,
      recipients: recipients.nullish().describe('Required for `email`'),
      cron: cron.optional().describe(`Default: \`${DEFAULT_CRON}\``),
    }),
    answer: reportSchedule,
    errors: ['TEAM_CAPABILITY_RESTRICTED'],
    example: { request: { types: example.types, delivery_methods: ['webhook'] }, answer: example },
  }),
  listReportSchedules: endpoint({
    method: 'GET',
    path: '/report_schedules',
    summary: 'List report schedules',
    since,
    query: paging,
    answer: reportSchedule,
    shape: 'list',
    example: { answer: [example] },
  }),
  retrieveReportSchedule: endpoint({
    method: 'GET',
    path: '/report_schedules/:rpt_sch_id',
    summary: 'Retrieve a report schedule',
    since,
    answer: reportSchedule,
    example: { answer: example },
  }),
  updateReportSchedule: endpoint({
    method: 'PATCH',
    path: '/report_schedules/:rpt_sch_id',
    summary: 'Change the times of a report schedule',
    since,
    body: z.object({ cron }),
    answer: reportSchedule,
    errors,
    example: { request: { cron: '0 6 * * *' }, answer: { ...example, cron: '0 6 * * *' } },
  }),
  deleteReportSchedule: endpoint({
    method: 'DELETE',
    path: '/report_schedules/:rpt_sch_id',
    summary: 'Deactivate a report schedule',
    description: 'The schedule becomes inactive and cannot be activated again. Its reports remain.',
    since,
    answer: z.null(),
    shape: 'gone',
    example: { answer: null },
  }),
  addReportScheduleType: endpoint({
    method: 'POST',
    path: '/report_schedules/:rpt_sch_id/types',
    summary: 'Add a report type',
    description: 'Changes nothing if the schedule already has it.',
    since,
    body: z.object({ type }),
    answer: reportSchedule,
    errors,
    example: {
      request: { type: 'ach.pull.nightly' },
      answer: { ...example, types: [...example.types, 'ach.pull.nightly'] },
    },
  }),
  replaceReportScheduleTypes: endpoint({
    method: 'PUT',
    path: '/report_schedules/:rpt_sch_id/types',
    summary: 'Replace the report types',
    since,
    body: z.object({ types }),
    answer: reportSchedule,
    errors,
    example: { request: { types: ['ach.pull.nightly'] }, answer: { ...example, types: ['ach.pull.nightly'] } },
  }),
  removeReportScheduleType: endpoint({
    method: 'DELETE',
    path: '/report_schedules/:rpt_sch_id/types',
    summary: 'Remove a report type',
    description: 'The last type cannot be removed.',
    since,
    query: { type: type.describe('The report type to remove') },
    required: ['type'],
    answer: reportSchedule,
    errors,
    example: { answer: example },
  }),
  addReportScheduleMethod: endpoint({
    method: 'POST',
    path: '/report_schedules/:rpt_sch_id/delivery_methods',
    summary: 'Add a delivery method',
    description: '`email` requires a recipient.',
    since,
    body: z.object({ delivery_method: deliveryMethod }),
    answer: reportSchedule,
    errors: [...errors, 'TEAM_CAPABILITY_RESTRICTED'],
    example: { request: { delivery_method: 'webhook' }, answer: example },
  }),
  replaceReportScheduleMethods: endpoint({
    method: 'PUT',
    path: '/report_schedules/:rpt_sch_id/delivery_methods',
    summary: 'Replace the delivery methods',
    since,
    body: z.object({ delivery_methods: methods }),
    answer: reportSchedule,
    errors: [...errors, 'TEAM_CAPABILITY_RESTRICTED'],
    example: { request: { delivery_methods: ['webhook'] }, answer: example },
  }),
  removeReportScheduleMethod: endpoint({
    method: 'DELETE',
    path: '/report_schedules/:rpt_sch_id/delivery_methods',
    summary: 'Remove a delivery method',
    description: 'The last method cannot be removed.',
    since,
    query: { delivery_method: deliveryMethod.describe('The delivery method to remove') },
    required: ['delivery_method'],
    answer: reportSchedule,
    errors,
    example: { answer: example },
  }),
  addReportScheduleRecipient: endpoint({
    method: 'POST',
    path: '/report_schedules/:rpt_sch_id/recipients',
    summary: 'Add a recipient',
    description: `A schedule can have at most ${MAX_RECIPIENTS} recipients.`,
    since,
    body: z.object({ recipient }),
    answer: reportSchedule,
    errors,
    example: { request: { recipient: 'ops@example.com' }, answer: { ...example, recipients: ['ops@example.com'] } },
  }),
  replaceReportScheduleRecipients: endpoint({
    method: 'PUT',
    path: '/report_schedules/:rpt_sch_id/recipients',
    summary: 'Replace the recipients',
    since,
    body: z.object({ recipients }),
    answer: reportSchedule,
    errors,
    example: { request: { recipients: ['ops@example.com'] }, answer: { ...example, recipients: ['ops@example.com'] } },
  }),
  removeReportScheduleRecipient: endpoint({
    method: 'DELETE',
    path: '/report_schedules/:rpt_sch_id/recipients',
    summary: 'Remove a recipient',
    description: 'The last recipient cannot be removed. The address in the URL is not logged.',
    since,
    query: { recipient: z.string().max(254).describe('The email address to remove') },
    required: ['recipient'],
    answer: reportSchedule,
    errors,
    example: { answer: example },
  }),
}

export const reportScheduleFamily: Family = {
  name: 'Report schedules',
  about: 'Reports that the service creates at regular times.',
  endpoints,
}

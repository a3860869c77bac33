import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

/** Schedules that create reports at regular times. */
export const createReportSchedules = ({ one, data, list }: Verbs) => ({
  create: (params: Body<'POST /report_schedules'>, options?: RequestOptions) =>
    one('POST /report_schedules', [], params, options),
  list: (params?: Query<'GET /report_schedules'>, options?: RequestOptions) =>
    list('GET /report_schedules', [], params, options),
  retrieve: (id: string, options?: RequestOptions) => one('GET /report_schedules/:rpt_sch_id', [id], {}, options),
  /** Changes the times of the runs. */
  update: (id: string, params: Body<'PATCH /report_schedules/:rpt_sch_id'>, options?: RequestOptions) =>
    one('PATCH /report_schedules/:rpt_sch_id', [id], params, options),
  /** Deactivates the schedule. Its reports remain. */
  delete: (id: string, options?: RequestOptions) => data('DELETE /report_schedules/:rpt_sch_id', [id], {}, options),
  types: {
    add: (id: string, params: Body<'POST /report_schedules/:rpt_sch_id/types'>, options?: RequestOptions) =>
      one('POST /report_schedules/:rpt_sch_id/types', [id], params, options),
    replace: (id: string, params: Body<'PUT /report_schedules/:rpt_sch_id/types'>, options?: RequestOptions) =>
      one('PUT /report_schedules/:rpt_sch_id/types', [id], params, options),
    remove: (id: string, params: Query<'DELETE /report_schedules/:rpt_sch_id/types'>, options?: RequestOptions) =>
      one('DELETE /report_schedules/:rpt_sch_id/types', [id], params, options),
  },
  deliveryMethods: {
    add: (id: string, params: Body<'POST /report_schedules/:rpt_sch_id/delivery_methods'>, options?: RequestOptions) =>
      one('POST /report_schedules/:rpt_sch_id/delivery_methods', [id], params, options),
    replace: (
      id: string,
      params: Body<'PUT /report_schedules/:rpt_sch_id/delivery_methods'>,
      options?: RequestOptions,
    ) => one('PUT /report_schedules/:rpt_sch_id/delivery_methods', [id], params, options),
    remove: (
      id: string,
      params: Query<'DELETE /report_schedules/:rpt_sch_id/delivery_methods'>,
      options?: RequestOptions,
    ) => one('DELETE /report_schedules/:rpt_sch_id/delivery_methods', [id], params, options),
  },
  recipients: {
    add: (id: string, params: Body<'POST /report_schedules/:rpt_sch_id/recipients'>, options?: RequestOptions) =>
      one('POST /report_schedules/:rpt_sch_id/recipients', [id], params, options),
    replace: (id: string, params: Body<'PUT /report_schedules/:rpt_sch_id/recipients'>, options?: RequestOptions) =>
      one('PUT /report_schedules/:rpt_sch_id/recipients', [id], params, options),
    remove: (id: string, params: Query<'DELETE /report_schedules/:rpt_sch_id/recipients'>, options?: RequestOptions) =>
      one('DELETE /report_schedules/:rpt_sch_id/recipients', [id], params, options),
  },
})

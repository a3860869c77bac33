import type { Body } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

export type ReportCreateParams = Body<'POST /reports'>

/** Reports, each of which contains the rows for one period as CSV. */
export const createReports = ({ one, text }: Verbs) => ({
  create: (params: ReportCreateParams, options?: RequestOptions) => one('POST /reports', [], params, options),
  retrieve: (id: string, options?: RequestOptions) => one('GET /reports/:rpt_id', [id], {}, options),
  /** Downloads the file as a string. */
  download: (id: string, options?: RequestOptions) => text('GET /reports/:rpt_id/download', [id], options),
})

import { z } from 'zod'
import { report, reportTypes } from '../resources/report.js'
import { endpoint, type Family, metadataInput } from './endpoint.js'
import * as examples from './examples.js'

export const endpoints = {
  createReport: endpoint({
    method: 'POST',
    path: '/reports',
    summary: 'Create a report',
    description:
      'Completed when it is answered, but where its file takes more than ten seconds: then `report.update` tells of it. `current` and `previous` are cut-off cycles: from one last window for pulling money (16:30 in ' +
      'Chicago, on business days) to the next. `previous_day` and `nightly` are the day before in Chicago, `daily` the ' +
      'cycle so far, `upcoming` all that waits to be pulled. The file is written once: whoever reads it later reads the same.',
    body: z.object({ type: z.enum(reportTypes), metadata: metadataInput('MAX_REPORT_METADATA_SIZE_EXCEEDED') }),
    answer: report,
    example: { request: { type: 'payments.created.previous' }, answer: examples.report },
  }),
  retrieveReport: endpoint({
    method: 'GET',
    path: '/reports/:rpt_id',
    summary: 'Retrieve a report',
    answer: report,
    example: { answer: examples.report },
  }),
  downloadReport: endpoint({
    method: 'GET',
    path: '/reports/:rpt_id/download',
    summary: 'Download the rows of a report',
    description:
      'CSV, never wrapped: a line of names, then a line for each row, oldest first, as it was when the report was made. ' +
      'Amounts are cents. Ids and states alone, no personal details. A text that a spreadsheet would run begins with an apostrophe.',
    answer: z.string(),
    shape: 'raw',
    type: 'text/csv',
    example: { answer: 'id,status\r\n' },
  }),
}

export const reportFamily: Family = {
  name: 'Reports',
  about: 'Rows about a time, as CSV.',
  endpoints,
}

import { z } from 'zod'
import { endpoint, type Family, metadataInput } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { report, reportTypes } from '../resources/report.js'

export const endpoints = {
  createReport: endpoint({
    method: 'POST',
    path: '/reports',
    summary: 'Create a report',
    description:
      'Returns the completed report. If writing the file takes more than ten seconds, a `report.update` event is sent when the file is complete. `current` and `previous` are cut-off cycles: from the last debit window of one business day (16:30 in ' +
      'Chicago) to that of the next. `previous_day` and `nightly` are the previous day in Chicago, `daily` is the ' +
      'cycle so far, and `upcoming` is all pending debits. The file is written once, so each download is the same.',
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
      "Returns unwrapped CSV: a header line, then one line per row, oldest first, with the values as of the report's creation. " +
      'Amounts are in cents. Rows contain only ids and statuses, no personal details. Text that a spreadsheet could execute begins with an apostrophe.',
    answer: z.string(),
    shape: 'raw',
    type: 'text/csv',
    example: { answer: 'id,status\r\n' },
  }),
}

export const reportFamily: Family = {
  name: 'Reports',
  about: 'The records of a period, as CSV.',
  endpoints,
}

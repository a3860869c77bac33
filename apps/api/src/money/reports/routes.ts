import { endpoints } from '@causeway/contract/endpoints/reports'
import { ServiceError } from '@causeway/contract/errors'
import { implement } from '../../platform/http/endpoint/implement.js'
import { metadataText } from '../../platform/http/endpoint/metadata.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import { type Ctx, reading } from '../../platform/scope.js'
import { createReport } from './create.js'
import { findReport, type ReportRow, readFile, showReport } from './store.js'

async function findReportOrThrow(ctx: Ctx, id: string): Promise<ReportRow> {
  return orNotFound(await findReport(ctx, id))
}

/** Returns the response to the POST request once the file exists or the wait has timed out. */
export const resumeReport = async (ctx: Ctx, id: string) => one(showReport(ctx, (await findReport(ctx, id))!))

export const reportRoutes: Route[] = [
  implement(endpoints.createReport, {
    async handle(ctx, { body: { type, metadata } }) {
      const { row, job } = await createReport(ctx, type, {
        at: ctx.now,
        metadata: metadataText(metadata),
        awaited: true,
      })
      return { shape: 'later', job, resume: { kind: 'report', id: row.id } }
    },
  }),
  implement(endpoints.retrieveReport, {
    handle: async (ctx, { params }) => one(showReport(ctx, await findReportOrThrow(ctx, params.rpt_id))),
  }),
  implement(endpoints.downloadReport, {
    async handle(ctx, { params }) {
      const { id, file } = await findReportOrThrow(ctx, params.rpt_id)
      if (file === null)
        throw new ServiceError(
          'INVALID_REQUEST',
          'The report is not completed yet. Download it once its status is completed.',
        )
      return {
        shape: 'stream',
        parts: () => readFile(reading(ctx.deps, ctx.team), file),
        type: 'text/csv; charset=utf-8',
        headers: {
          'Content-Disposition': `attachment; filename="${id}.csv"`,
        },
      }
    },
  }),
]

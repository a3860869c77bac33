import { endpoints } from '@causeway/contract/endpoints/reports'
import { ServiceError } from '@causeway/contract/errors'
import { emit } from '../../notify/emit.js'
import { createId } from '../../platform/crypto/random.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { metadataText } from '../../platform/http/endpoint/metadata.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import { type Ctx, reading } from '../../platform/scope.js'
import { reportRules } from './report.js'
import { findReport, type ReportRow, readFile, showReport } from './store.js'

async function findReportOrThrow(ctx: Ctx, id: string): Promise<ReportRow> {
  return orNotFound(await findReport(ctx, id))
}

/** Returns the response to the POST request once the file exists or the wait has timed out. */
export const resumeReport = async (ctx: Ctx, id: string) => one(showReport(ctx, (await findReport(ctx, id))!))

export const reportRoutes: Route[] = [
  implement(endpoints.createReport, {
    async handle(ctx, { body: { type, metadata } }) {
      const { from, to } = reportRules[type][1](ctx.now)
      const row: ReportRow = {
        id: createId('report', ctx.now),
        team_id: ctx.team.id,
        type,
        from_time: from,
        to_time: to,
        metadata: metadataText(metadata),
        file: null,
        created_at: ctx.now,
        updated_at: ctx.now,
      }
      await ctx.db.insertInto('reports').values(row).execute()
      await emit(ctx, 'report.create', showReport(ctx, row))
      const { jobs } = ctx.deps
      const job = await jobs.enqueue(ctx, { kind: 'report.make', payload: { report: row.id }, awaited: true })
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

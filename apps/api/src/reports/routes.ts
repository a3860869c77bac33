import { ServiceError } from '@causeway/contract/errors'
import { reportTypes } from '@causeway/contract/resources/report'
import { z } from 'zod'
import { createId } from '../crypto/random.js'
import { emit } from '../events/store.js'
import { parse } from '../http/body.js'
import { readMetadata } from '../http/metadata.js'
import { one, type Route } from '../http/route.js'
import { type Ctx, reading } from '../scope.js'
import { rules } from './report.js'
import { findReport, type ReportRow, readFile, showReport } from './store.js'

const input = z.object({ type: z.enum(reportTypes) })

async function owned(ctx: Ctx): Promise<ReportRow> {
  const row = await findReport(ctx, ctx.params['rpt_id'] ?? '')
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** What the POST answers once the file is there, or nobody waits for it any longer. */
export const resumeReport = async (ctx: Ctx, id: string) => one(showReport(ctx, (await findReport(ctx, id))!))

export const reportRoutes: Route[] = [
  {
    method: 'POST',
    path: '/reports',
    async handle(ctx) {
      const body = ctx.body()
      const { type } = parse(input, body)
      const metadata = readMetadata(body, 'MAX_REPORT_METADATA_SIZE_EXCEEDED')
      const { from, to } = rules[type][1](ctx.now)
      const row: ReportRow = {
        id: createId('report', ctx.now),
        team_id: ctx.team.id,
        type,
        from_time: from,
        to_time: to,
        metadata,
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
  },
  {
    method: 'GET',
    path: '/reports/:rpt_id',
    handle: async ctx => one(showReport(ctx, await owned(ctx))),
  },
  {
    method: 'GET',
    path: '/reports/:rpt_id/download',
    async handle(ctx) {
      const { id, file } = await owned(ctx)
      if (file === null) throw new ServiceError('INVALID_REQUEST', 'The report is not completed yet; read it later.')
      return {
        shape: 'stream',
        parts: () => readFile(reading(ctx.deps, ctx.team), file),
        type: 'text/csv; charset=utf-8',
        headers: {
          'Content-Disposition': `attachment; filename="${id}.csv"`,
          'X-Content-Type-Options': 'nosniff',
        },
      }
    },
  },
]

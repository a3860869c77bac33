import { ServiceError } from '@causeway/contract/errors'
import { reportTypes } from '@causeway/contract/resources/report'
import { z } from 'zod'
import { createId } from '../crypto/random.js'
import type { Tables } from '../db/tables.js'
import { emit } from '../events/store.js'
import { parse } from '../http/body.js'
import { readMetadata } from '../http/metadata.js'
import { one, type Route } from '../http/route.js'
import { type Ctx, reading } from '../scope.js'
import { showJson, showTime } from '../show.js'
import { rules } from './report.js'
import { reportText } from './rows.js'

type ReportRow = Tables['reports']

const input = z.object({ type: z.enum(reportTypes) })

function show(ctx: Ctx, row: ReportRow): Record<string, unknown> & { id: string } {
  return {
    id: row.id,
    type: row.type,
    url: `${ctx.deps.apiOrigin}/reports/${row.id}/download`,
    status: 'completed',
    metadata: showJson(row.metadata),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

async function owned(ctx: Ctx): Promise<ReportRow> {
  const row = await ctx.db
    .selectFrom('reports')
    .selectAll()
    .where('team_id', '=', ctx.team.id)
    .where('id', '=', ctx.params['rpt_id'] ?? '')
    .executeTakeFirst()
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

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
        created_at: ctx.now,
        updated_at: ctx.now,
      }
      await ctx.db.insertInto('reports').values(row).execute()
      // Nothing is left to wait for, and whoever waits for the end by webhook hears of it all the same.
      const done = show(ctx, row)
      const begun = { ...done, status: 'processing', url: null }
      await emit(ctx, 'report.create', begun)
      await emit(ctx, 'report.update', done, begun)
      return one(done)
    },
  },
  {
    method: 'GET',
    path: '/reports/:rpt_id',
    handle: async ctx => one(show(ctx, await owned(ctx))),
  },
  {
    method: 'GET',
    path: '/reports/:rpt_id/download',
    async handle(ctx) {
      const row = await owned(ctx)
      return {
        shape: 'stream',
        parts: () => reportText(reading(ctx.deps, ctx.team), row),
        type: 'text/csv; charset=utf-8',
        headers: {
          'Content-Disposition': `attachment; filename="${row.id}.csv"`,
          'X-Content-Type-Options': 'nosniff',
        },
      }
    },
  },
]

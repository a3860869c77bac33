import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { createId } from '../crypto/random.js'
import type { Tables } from '../db/tables.js'
import { parse } from '../http/body.js'
import { readMetadata } from '../http/metadata.js'
import { page } from '../http/paging.js'
import { gone, one, type Route } from '../http/route.js'
import { type Ctx, sealer } from '../scope.js'
import { showTime } from '../show.js'

type SecretRow = Tables['secrets']

const input = z.object({ value: z.string().min(1).max(8_192) })

/** The value is in no answer. */
const show = (row: SecretRow) => ({
  id: row.id,
  metadata: JSON.parse(row.metadata) as unknown,
  status: row.status,
  created_at: showTime(row.created_at),
  updated_at: showTime(row.updated_at),
})

const seal = (ctx: Ctx, id: string, value: string) => sealer(ctx).seal({ id, field: 'value' }, value)

export const secretRoutes: Route[] = [
  {
    method: 'POST',
    path: '/secrets',
    async handle(ctx) {
      const body = ctx.body()
      const { value } = parse(input, body)
      const metadata = readMetadata(body, 'MAX_SECRET_METADATA_SIZE_EXCEEDED') ?? '{}'
      const id = createId('secret', ctx.now)
      const times = { created_at: ctx.now, updated_at: ctx.now }
      const row = {
        id,
        team_id: ctx.team.id,
        value: seal(ctx, id, value),
        status: 'active' as const,
        metadata,
        ...times,
      }
      await ctx.db.insertInto('secrets').values(row).execute()
      return one(show(row))
    },
  },
  {
    method: 'GET',
    path: '/secrets',
    async handle(ctx) {
      const { rows, headers } = await page<SecretRow>(ctx, 'secret', from =>
        from('secrets').where('team_id', '=', ctx.team.id).where('status', '=', 'active'),
      )
      return { shape: 'list', body: rows.map(show), headers }
    },
  },
  {
    method: 'GET',
    path: '/secrets/:sec_id',
    async handle(ctx) {
      const row = await ctx.db
        .selectFrom('secrets')
        .selectAll()
        .where('team_id', '=', ctx.team.id)
        .where('id', '=', ctx.params['sec_id'] ?? '')
        .where('status', '=', 'active')
        .executeTakeFirst()
      if (!row) throw new ServiceError('NOT_FOUND')
      return one(show(row))
    },
  },
  {
    method: 'DELETE',
    path: '/secrets/:sec_id',
    async handle(ctx) {
      const id = ctx.params['sec_id'] ?? ''
      const row = await ctx.db
        .updateTable('secrets')
        .set({ status: 'deleted', value: seal(ctx, id, ''), metadata: '{}', updated_at: ctx.now })
        .where('team_id', '=', ctx.team.id)
        .where('id', '=', id)
        .where('status', '=', 'active')
        .returning('id')
        .executeTakeFirst()
      if (!row) throw new ServiceError('NOT_FOUND')
      return gone
    },
  },
]

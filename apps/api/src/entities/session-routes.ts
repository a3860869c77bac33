import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { asked } from '../accounts/asked.js'
import { parse } from '../http/body.js'
import { page } from '../http/paging.js'
import { type Answer, one, type Route } from '../http/route.js'
import { entityById } from '../products/holders.js'
import type { RecordRow } from '../products/product.js'
import { findRecord } from '../products/store.js'
import type { Ctx } from '../scope.js'
import { methodsByName } from './methods.js'
import { answerSession, beginSession, requestOf, SESSION, showSession } from './sessions.js'
import { lockEntity } from './store.js'

const path = '/entities/:ent_id/verification_sessions'
const names = Object.keys(methodsByName) as [string, ...string[]]
const head = z.object({ type: z.enum(['phone', 'identity']), method: z.enum(names) })

function blockOf(body: Record<string, unknown>, method: string): Record<string, unknown> {
  return parse(z.record(z.string(), z.unknown()), body[method] ?? {}, method)
}

export async function resumeSession(ctx: Ctx, id: string): Promise<Answer> {
  const row = await findRecord(ctx, SESSION, id)
  if (!row) throw new ServiceError('NOT_FOUND')
  return one(showSession(row))
}

async function owned(ctx: Ctx): Promise<RecordRow> {
  const entity = await entityById(ctx, ctx.params['ent_id'])
  const row = await findRecord(ctx, SESSION, ctx.params['id'] ?? '', entity.id)
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

export const entitySessionRoutes: Route[] = [
  {
    method: 'POST',
    path,
    async handle(ctx) {
      const entity = await lockEntity(ctx, ctx.params['ent_id'] ?? '')
      if (!entity) throw new ServiceError('NOT_FOUND')
      const body = ctx.body()
      const { type, method } = parse(head, body)
      const { row, job, waits } = await beginSession(ctx, entity, type, method, blockOf(body, method))
      return job && waits ? { shape: 'later', job, resume: { kind: 'evf', id: row.id } } : one(showSession(row))
    },
  },
  {
    method: 'GET',
    path,
    async handle(ctx) {
      const entity = await entityById(ctx, ctx.params['ent_id'])
      const { rows, headers } = await page<RecordRow>(ctx, SESSION, from =>
        from('records')
          .where('holder_id' as 'source', '=', entity.id)
          .where('product' as 'type', '=', SESSION),
      )
      return { shape: 'list', body: rows.map(showSession), headers }
    },
  },
  { method: 'GET', path: `${path}/:id`, handle: async ctx => one(showSession(await owned(ctx))) },
  {
    method: 'PUT',
    path: `${path}/:id`,
    async prepare(ctx) {
      const row = await owned(ctx)
      const body = ctx.body()
      const { type, method } = parse(head, body)
      const request = requestOf(row)
      if (request.type !== type || request.method !== method)
        throw new ServiceError(
          'INVALID_REQUEST',
          `type and method must be those of the session: ${request.type}, ${request.method}.`,
        )
      if (row.status === 'verified') throw new ServiceError('EXISTING_VERIFIED_SESSION')
      return asked(() => answerSession(ctx, row.id, blockOf(body, method)), 'Whoever checks it')
    },
    handle: async ctx => one(showSession(ctx.prepared as RecordRow)),
  },
]

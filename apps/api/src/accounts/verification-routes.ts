import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { page } from '../http/paging.js'
import { one, type Route } from '../http/route.js'
import { accountById } from '../products/holders.js'
import type { RecordRow } from '../products/product.js'
import { findRecord } from '../products/store.js'
import type { Ctx } from '../scope.js'
import { lockAccount } from './store.js'
import { beginVerification, showVerification, tryNumber, VERIFICATION } from './verification.js'

const path = '/accounts/:acc_id/verification_sessions'
const number = z
  .string()
  .transform(text => text.replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{4,25}$/, 'standard.number must be 4 to 25 digits; spaces and dashes are fine.'))

async function owned(ctx: Ctx): Promise<RecordRow> {
  const account = await accountById(ctx, ctx.params['acc_id'])
  const row = await findRecord(ctx, VERIFICATION, ctx.params['id'] ?? '', account.id)
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

export const accountVerificationRoutes: Route[] = [
  {
    method: 'POST',
    path,
    async handle(ctx) {
      const account = await lockAccount(ctx, ctx.params['acc_id'] ?? '')
      if (!account) throw new ServiceError('NOT_FOUND')
      const { type } = parse(z.object({ type: z.string().max(50) }), ctx.body())
      return one(showVerification(await beginVerification(ctx, account, type)))
    },
  },
  {
    method: 'GET',
    path,
    async handle(ctx) {
      const account = await accountById(ctx, ctx.params['acc_id'])
      const { rows, headers } = await page<RecordRow>(ctx, VERIFICATION, from =>
        from('records')
          .where('holder_id' as 'source', '=', account.id)
          .where('product' as 'type', '=', VERIFICATION),
      )
      return { shape: 'list', body: rows.map(showVerification), headers }
    },
  },
  { method: 'GET', path: `${path}/:id`, handle: async ctx => one(showVerification(await owned(ctx))) },
  {
    method: 'PUT',
    path: `${path}/:id`,
    async prepare(ctx) {
      const row = await owned(ctx)
      const input = parse(z.object({ standard: z.object({ number }) }), ctx.body())
      return tryNumber(ctx, row.id, input.standard.number)
    },
    handle: async ctx => one(showVerification(ctx.prepared as RecordRow)),
  },
]

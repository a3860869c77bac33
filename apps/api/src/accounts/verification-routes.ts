import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { page } from '../http/paging.js'
import { one, type Route } from '../http/route.js'
import { accountById } from '../products/holders.js'
import type { RecordRow } from '../products/product.js'
import { findRecord } from '../products/store.js'
import type { Ctx } from '../scope.js'
import { asked } from './asked.js'
import { lockAccount } from './store.js'
import {
  answerVerification,
  beginVerification,
  showVerification,
  VERIFICATION,
  verificationData,
} from './verification.js'

const path = '/accounts/:acc_id/verification_sessions'

async function owned(ctx: Ctx): Promise<RecordRow> {
  const account = await accountById(ctx, ctx.params['acc_id'])
  const row = await findRecord(ctx, VERIFICATION, ctx.params['id'] ?? '', account.id)
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** What the owner of the bank account would read from a statement; nothing for a session without deposits. In the sandbox alone. */
const amounts = (base: string): Route => ({
  method: 'GET',
  path: `${base}${path}/:id/amounts`,
  sandbox: true,
  async handle(ctx) {
    const row = await owned(ctx)
    return one({ amounts: verificationData(ctx, row)['amounts'] ?? [] })
  },
})

export const accountVerificationRoutes: Route[] = [
  {
    method: 'POST',
    path,
    async handle(ctx) {
      const account = await lockAccount(ctx, ctx.params['acc_id'] ?? '')
      if (!account) throw new ServiceError('NOT_FOUND')
      const { type } = parse(z.object({ type: z.string().max(50) }), ctx.body())
      return one(showVerification(ctx, (await beginVerification(ctx, account, type)).row))
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
      return { shape: 'list', body: rows.map(row => showVerification(ctx, row)), headers }
    },
  },
  { method: 'GET', path: `${path}/:id`, handle: async ctx => one(showVerification(ctx, await owned(ctx))) },
  {
    method: 'PUT',
    path: `${path}/:id`,
    async prepare(ctx) {
      const row = await owned(ctx)
      return asked(() => answerVerification(ctx, row.id, ctx.body()))
    },
    handle: async ctx => one(showVerification(ctx, ctx.prepared as RecordRow)),
  },
  amounts(''),
  amounts('/simulate'),
]

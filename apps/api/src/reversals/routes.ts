import { ServiceError } from '@causeway/contract/errors'
import { one, type Route } from '../http/route.js'
import { isDescription } from '../payments/input.js'
import type { PaymentRow } from '../payments/show.js'
import { findPayment, lockPayment, movePayment } from '../payments/store.js'
import type { Ctx } from '../scope.js'
import { type ReversalRow, showReversal } from './show.js'
import { findReversal, reversalsOfPayment } from './store.js'

const path = '/payments/:pmt_id/reversals'

async function payment(ctx: Ctx, find = findPayment): Promise<PaymentRow> {
  const row = await find(ctx, ctx.params['pmt_id'] ?? '')
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

async function owned(ctx: Ctx, of: PaymentRow): Promise<ReversalRow> {
  const row = await findReversal(ctx, ctx.params['rvs_id'] ?? '')
  if (row?.payment_id !== of.id) throw new ServiceError('NOT_FOUND')
  return row
}

export const reversalRoutes: Route[] = [
  {
    method: 'GET',
    path,
    async handle(ctx) {
      const { id } = await payment(ctx)
      return { shape: 'list', body: (await reversalsOfPayment(ctx, id)).map(showReversal) }
    },
  },
  {
    method: 'GET',
    path: `${path}/:rvs_id`,
    handle: async ctx => one(showReversal(await owned(ctx, await payment(ctx)))),
  },
  {
    method: 'PUT',
    path: `${path}/:rvs_id`,
    async handle(ctx) {
      const row = await payment(ctx, lockPayment)
      const reversal = await owned(ctx, row)
      const { status, description } = ctx.body()
      if (typeof status !== 'string') throw new ServiceError('INVALID_REQUEST', 'status is required: pending.')
      if (description !== undefined && !isDescription(description)) throw new ServiceError('INVALID_ACH_DESCRIPTION')
      if (status !== 'pending' || reversal.status !== 'pending_approval')
        throw new ServiceError('INVALID_REVERSAL_STATUS')
      const details = description === undefined ? {} : { description: description as string }
      if (!(await movePayment(ctx, row, 'reversal_processing', details)))
        throw new ServiceError('INVALID_REVERSAL_STATUS')
      return one(showReversal((await findReversal(ctx, reversal.id))!))
    },
  },
]

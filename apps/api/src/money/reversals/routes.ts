import { reversals } from '@causeway/contract/endpoints/payments'
import { ServiceError } from '@causeway/contract/errors'
import { implement } from '../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import type { PaymentRow } from '../payments/show.js'
import { findPayment, lockPayment, transitionPayment } from '../payments/store.js'
import { type ReversalRow, showReversal } from './show.js'
import { findReversal, reversalsOfPayment } from './store.js'

async function findPaymentOrThrow(ctx: Ctx, id: string, find = findPayment): Promise<PaymentRow> {
  const row = await find(ctx, id)
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

async function findReversalOrThrow(ctx: Ctx, id: string, of: PaymentRow): Promise<ReversalRow> {
  const row = await findReversal(ctx, id)
  if (row?.payment_id !== of.id) throw new ServiceError('NOT_FOUND')
  return row
}

export const reversalRoutes: Route[] = [
  implement(reversals.listReversals, {
    async handle(ctx, { params }) {
      const { id } = await findPaymentOrThrow(ctx, params.pmt_id)
      return { shape: 'list', body: (await reversalsOfPayment(ctx, id)).map(showReversal) }
    },
  }),
  implement(reversals.retrieveReversal, {
    handle: async (ctx, { params }) =>
      one(showReversal(await findReversalOrThrow(ctx, params.rvs_id, await findPaymentOrThrow(ctx, params.pmt_id)))),
  }),
  implement(reversals.updateReversal, {
    async handle(ctx, { params, body: { description } }) {
      const row = await findPaymentOrThrow(ctx, params.pmt_id, lockPayment)
      const reversal = await findReversalOrThrow(ctx, params.rvs_id, row)
      if (reversal.status !== 'pending_approval') throw new ServiceError('INVALID_REVERSAL_STATUS')
      const details = description === undefined ? {} : { description }
      if (!(await transitionPayment(ctx, row, 'reversal_processing', details)))
        throw new ServiceError('INVALID_REVERSAL_STATUS')
      return one(showReversal((await findReversal(ctx, reversal.id))!))
    },
  }),
]

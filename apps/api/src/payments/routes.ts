import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'
import { page } from '../http/paging.js'
import { one, type Route } from '../http/route.js'
import type { Ctx } from '../scope.js'
import { askRail, checkEnds } from './accounts.js'
import { forgetCancel, takeBack } from './cancel.js'
import { createPayment, draftPayment } from './create.js'
import { showPayments } from './expand.js'
import { refuseWhileStopped } from './hold.js'
import { readPayment } from './input.js'
import { type PaymentRow, showPayment } from './show.js'
import { findPayment, findPaymentByKey, lockPayment, movePayment } from './store.js'

const filters = ['status', 'type', 'source', 'destination', 'reversal_id', 'source_holder_id', 'destination_holder_id']
/** Filters that either end can meet. */
const eitherEnd = [
  ['acc_id', 'source', 'destination'],
  ['holder_id', 'source_holder_id', 'destination_holder_id'],
] as const

/** The payment that was made with the key before, or what the rail said of a new one. */
interface Prepared {
  earlier?: PaymentRow
  refusal?: ErrorSubType | null
}

async function found(ctx: Ctx, find = findPayment): Promise<PaymentRow> {
  const row = await find(ctx, ctx.params['pmt_id'] ?? '')
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

export const paymentRoutes: Route[] = [
  {
    method: 'POST',
    path: '/payments',
    async prepare(ctx): Promise<Prepared> {
      // A key outlives its stored answer: a retry after years still means this payment. Its claim keeps others from making one.
      const earlier = await findPaymentByKey(ctx, ctx.idempotencyKey)
      if (earlier) return { earlier }
      const input = readPayment(ctx.body())
      return { refusal: await askRail(ctx, { amount: input.amount, ...(await checkEnds(ctx, input)) }) }
    },
    async handle(ctx) {
      const { earlier, refusal = null } = ctx.prepared as Prepared
      if (earlier) return one(showPayment(earlier, { one: false }))
      refuseWhileStopped(ctx)
      const { dry_run, ...input } = readPayment(ctx.body())
      const given = { ...input, ...(await checkEnds(ctx, input)), idempotency_key: ctx.idempotencyKey, refusal }
      const row = await (dry_run ? draftPayment : createPayment)(ctx, given)
      return one(showPayment(row, { one: false }))
    },
  },
  {
    method: 'GET',
    path: '/payments',
    async handle(ctx) {
      const { rows, headers } = await page<PaymentRow>(ctx, 'payment', from => {
        let query = from('payments').where('team_id', '=', ctx.team.id)
        for (const name of filters) {
          const value = ctx.query.get(name)
          if (value) query = query.where(name as 'source', '=', value)
        }
        for (const [name, source, destination] of eitherEnd) {
          const value = ctx.query.get(name)
          if (value) query = query.where(end => end.or([end(source, '=', value), end(destination, '=', value)]))
        }
        return query
      })
      return { shape: 'list', body: await showPayments(ctx, rows, { one: false }), headers }
    },
  },
  {
    method: 'GET',
    path: '/payments/:pmt_id',
    async handle(ctx) {
      const [body] = await showPayments(ctx, [await found(ctx)], { one: true })
      return one(body)
    },
  },
  {
    method: 'DELETE',
    path: '/payments/:pmt_id',
    async prepare(ctx) {
      const row = await found(ctx)
      if (row.status !== 'pending') throw new ServiceError('INVALID_STATUS', 'Only a pending payment can be canceled.')
      await takeBack(ctx, row)
    },
    async handle(ctx) {
      const before = await found(ctx, lockPayment)
      // The rail took it back: the job that hands it over may have been told so first.
      const row = before.status === 'canceled' ? before : await movePayment(ctx, before, 'canceled')
      if (!row) throw new ServiceError('INVALID_STATUS', 'The payment has left already.')
      await forgetCancel(ctx, row.id)
      return one(showPayment(row, { one: false }))
    },
  },
]

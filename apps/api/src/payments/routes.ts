import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'
import { page } from '../http/paging.js'
import { one, type Route } from '../http/route.js'
import type { Ctx } from '../scope.js'
import { askRail, checkEnds } from './accounts.js'
import { forgetCancel, isCancelAsked, takeBack } from './cancel.js'
import { createPayment, draftPayment } from './create.js'
import { showPayments } from './expand.js'
import { refuseWhileStopped } from './hold.js'
import { asksFor, readPayment } from './input.js'
import { type PaymentRow, showPayment } from './show.js'
import { findPayment, findPaymentByKey, lockPayment, movePayment } from './store.js'

const filters = ['status', 'type', 'source', 'destination', 'reversal_id', 'source_holder_id', 'destination_holder_id']
/** Filters that either end can meet. */
const eitherEnd = [
  ['acc_id', 'source', 'destination'],
  ['holder_id', 'source_holder_id', 'destination_holder_id'],
] as const

async function found(ctx: Ctx, find = findPayment): Promise<PaymentRow> {
  const row = await find(ctx, ctx.params['pmt_id'] ?? '')
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

export const paymentRoutes: Route[] = [
  {
    method: 'POST',
    path: '/payments',
    async earlier(ctx) {
      const row = await findPaymentByKey(ctx, ctx.idempotencyKey)
      return row && { answer: one(showPayment(row, { one: false })), mismatch: !asksFor(row, () => ctx.body()) }
    },
    async prepare(ctx): Promise<ErrorSubType | null> {
      const input = readPayment(ctx.body())
      return askRail(ctx, { amount: input.amount, ...(await checkEnds(ctx, input)) })
    },
    async handle(ctx) {
      const refusal = ctx.prepared as ErrorSubType | null
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
      // The job that hands it over may have been told first; a request that was, has forgotten that somebody asked.
      const told = before.status === 'canceled' && (await isCancelAsked(ctx, before.id))
      const row = told ? before : await movePayment(ctx, before, 'canceled')
      if (!row) throw new ServiceError('INVALID_STATUS', 'Only a pending payment can be canceled.')
      await forgetCancel(ctx, row.id)
      return one(showPayment(row, { one: false }))
    },
  },
]

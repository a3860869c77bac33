import { endpoints } from '@causeway/contract/endpoints/payments'
import { ServiceError } from '@causeway/contract/errors'
import { sql } from 'kysely'
import { implement } from '../../platform/http/implement.js'
import { page } from '../../platform/http/paging.js'
import { one, type Route } from '../../platform/http/route.js'
import type { Ctx } from '../../platform/scope.js'
import { askRail, checkEnds } from './accounts.js'
import { forgetCancel, isCancelAsked, takeBack } from './cancel.js'
import { createPayment, draftPayment, monthlyCeilings } from './create.js'
import { showPayments } from './expand.js'
import { asksFor, columnsOf } from './input.js'
import { refuseWhileStopped } from './payment-hold.js'
import { shownColumns, showPayment } from './show.js'
import { findPayment, findPaymentByKey, findShownPayment, lockPayment, movePayment } from './store.js'

const filters = [
  'status',
  'type',
  'source',
  'destination',
  'reversal_id',
  'source_holder_id',
  'destination_holder_id',
  'session_id',
] as const
/** Filters that match either end of a payment. */
const eitherEnd = [
  ['acc_id', 'source', 'destination'],
  ['holder_id', 'source_holder_id', 'destination_holder_id'],
] as const

/** A filter that matches either end uses an index for at most this number of values. */
const INDEXED = 20

async function found<Row>(
  ctx: Ctx,
  id: string,
  find: (ctx: Ctx, id: string) => Promise<Row | undefined>,
): Promise<Row> {
  const row = await find(ctx, id)
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

export const paymentRoutes: Route[] = [
  implement(endpoints.createPayment, {
    async earlier(ctx, read) {
      const row = await findPaymentByKey(ctx, ctx.idempotencyKey)
      return row && { answer: one(showPayment(row, { one: false })), mismatch: !asksFor(row, read) }
    },
    async prepare(ctx, { body }) {
      const [ends, ceilings] = await Promise.all([checkEnds(ctx, columnsOf(body)), monthlyCeilings(ctx)])
      return { refusal: await askRail(ctx, { amount: body.amount, ...ends }), ceilings }
    },
    async handle(ctx, { body, prepared }) {
      refuseWhileStopped(ctx)
      const input = columnsOf(body)
      const ends = await checkEnds(ctx, input)
      const row = await (body.dry_run ? draftPayment : createPayment)(ctx, {
        source: ends.source,
        destination: ends.destination,
        amount: input.amount,
        description: input.description,
        fee: input.fee,
        reversal_account: input.reversal_account,
        metadata: input.metadata,
        idempotency_key: ctx.idempotencyKey,
        refusal: prepared.refusal,
        ceilings: prepared.ceilings,
      })
      return one(showPayment(row, { one: false }))
    },
  }),
  implement(endpoints.listPayments, {
    async handle(ctx, { query: asked }) {
      const sides = eitherEnd.filter(([name]) => asked.all(name).length > 0)
      // Only this filter uses the indexes on its columns. A second filter, if any, applies to the rows that this filter
      // finds.
      const indexed = sides.find(([name]) => asked.all(name).length <= INDEXED)
      const columns = indexed ? [indexed[1], indexed[2]] : []
      const { rows, headers } = await page(
        ctx,
        'payment',
        from => {
          let query = from('payments').where('team_id', '=', ctx.team.id)
          for (const name of filters) {
            const values = asked.all(name)
            if (values.length > 0) query = query.where(name, 'in', values)
          }
          // Matches the partial index on held payments.
          if (asked.all('fund_status').length > 0) query = query.where('fund_status', '=', sql.lit('hold'))
          const types = asked.all('type')
          // Matches the partial index on types other than `standard`.
          if (types.length > 0 && !types.includes('standard')) query = query.where('type', '!=', sql.lit('standard'))
          for (const [name, source, destination] of sides.filter(side => side !== indexed)) {
            const values = asked.all(name)
            query = query.where(end => end.or([end(source, 'in', values), end(destination, 'in', values)]))
          }
          return query
        },
        (indexed ? asked.all(indexed[0]) : []).flatMap(value =>
          columns.map(column => query => query.where(column, '=', value)),
        ),
        shownColumns,
      )
      return { shape: 'list', body: await showPayments(ctx, rows, { one: false }), headers }
    },
  }),
  implement(endpoints.retrievePayment, {
    async handle(ctx, { params }) {
      const [body] = await showPayments(ctx, [await found(ctx, params.pmt_id, findShownPayment)], { one: true })
      return one(body)
    },
  }),
  implement(endpoints.cancelPayment, {
    async prepare(ctx, { params }) {
      const row = await found(ctx, params.pmt_id, findPayment)
      if (row.status !== 'pending') throw new ServiceError('INVALID_STATUS', 'Only a pending payment can be canceled.')
      await takeBack(ctx, row)
    },
    async handle(ctx, { params }) {
      const before = await found(ctx, params.pmt_id, lockPayment)
      // The submission job may have canceled the payment first. In that case, the record of this request's cancellation
      // still exists.
      const told = before.status === 'canceled' && (await isCancelAsked(ctx, before.id))
      const row = told ? before : await movePayment(ctx, before, 'canceled')
      if (!row) throw new ServiceError('INVALID_STATUS', 'Only a pending payment can be canceled.')
      await forgetCancel(ctx, row.id)
      return one(showPayment(row, { one: false }))
    },
  }),
]

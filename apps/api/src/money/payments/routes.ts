import { endpoints } from '@causeway/contract/endpoints/payments'
import { sql } from 'kysely'
import { auditConsole } from '../../platform/audit/store.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import { checkPaymentAccounts, checkRail, holdCheckedAccounts } from './accounts.js'
import { createPayment, draftPayment, monthlyCeilings } from './create.js'
import { showPayments } from './expand.js'
import { columnsOf, matchesPayment } from './input.js'
import { rejectWhileStopped } from './payment-hold.js'
import { shownColumns, showPayment } from './show.js'
import { findPaymentByKey, findShownPayment } from './store.js'

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
const MAX_INDEXED_VALUES = 20

export const paymentRoutes: Route[] = [
  implement(endpoints.createPayment, {
    async earlier(ctx, read) {
      const row = await findPaymentByKey(ctx, ctx.idempotencyKey)
      return row && { answer: one(showPayment(row, { one: false })), mismatch: !matchesPayment(row, read) }
    },
    async prepare(ctx, { body }) {
      const [ends, ceilings] = await Promise.all([checkPaymentAccounts(ctx, columnsOf(body)), monthlyCeilings(ctx)])
      return { refusal: await checkRail(ctx, { amount: body.amount, ...ends }), ceilings }
    },
    async handle(ctx, { body, prepared }) {
      rejectWhileStopped(ctx)
      const input = columnsOf(body)
      const ends = await holdCheckedAccounts(ctx, input)
      const row = await (body.dry_run ? draftPayment : createPayment)(ctx, {
        source: ends.source,
        destination: ends.destination,
        amount: input.amount,
        description: input.description,
        fee: input.fee,
        reversal_account: input.reversal_account,
        metadata: input.metadata,
        idempotency_key: ctx.idempotencyKey,
        rejection: prepared.refusal,
        ceilings: prepared.ceilings,
      })
      if (!body.dry_run) await auditConsole(ctx, 'payment.create', row.id)
      return one(showPayment(row, { one: false }))
    },
  }),
  implement(endpoints.listPayments, {
    async handle(ctx, { query: filter }) {
      const sides = eitherEnd.filter(([name]) => filter.all(name).length > 0)
      // Only this filter uses the indexes on its columns. A second filter, if any, applies to the rows that this filter
      // finds.
      const indexed = sides.find(([name]) => filter.all(name).length <= MAX_INDEXED_VALUES)
      const columns = indexed ? [indexed[1], indexed[2]] : []
      const { rows, headers } = await page(
        ctx,
        'payment',
        from => {
          let query = from('payments').where('team_id', '=', ctx.team.id)
          for (const name of filters) {
            const values = filter.all(name)
            if (values.length > 0) query = query.where(name, 'in', values)
          }
          // Matches the partial index on held payments.
          if (filter.all('fund_status').length > 0) query = query.where('fund_status', '=', sql.lit('hold'))
          const types = filter.all('type')
          // Matches the partial index on types other than `standard`.
          if (types.length > 0 && !types.includes('standard')) query = query.where('type', '!=', sql.lit('standard'))
          for (const [name, source, destination] of sides.filter(side => side !== indexed)) {
            const values = filter.all(name)
            query = query.where(end => end.or([end(source, 'in', values), end(destination, 'in', values)]))
          }
          return query
        },
        (indexed ? filter.all(indexed[0]) : []).flatMap(value =>
          columns.map(column => query => query.where(column, '=', value)),
        ),
        shownColumns,
      )
      return { shape: 'list', body: await showPayments(ctx, rows, { one: false }), headers }
    },
  }),
  implement(endpoints.retrievePayment, {
    async handle(ctx, { params }) {
      const row = orNotFound(await findShownPayment(ctx, params.pmt_id))
      const [body] = await showPayments(ctx, [row], { one: true })
      return one(body)
    },
  }),
]

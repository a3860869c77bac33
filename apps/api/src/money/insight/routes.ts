import { insight } from '@causeway/contract/endpoints/payments'
import { MAX_PAYMENT_DAYS, endpoints as stats } from '@causeway/contract/endpoints/stats'
import type { PaymentStatus } from '@causeway/contract/resources/payment'
import { findAccounts } from '../../people/holders/store.js'
import { cacheResult } from '../../platform/cache-result.js'
import { offsetOf } from '../../platform/calendar/zone.js'
import { readJson } from '../../platform/db/json.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { readDays } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { findFaults } from '../ledger/ledger.js'
import { ledgerPayment, postingsOf } from '../ledger/store.js'
import { findPayment } from '../payments/store.js'
import { findReversal } from '../reversals/store.js'
import { explain } from './explain.js'
import { countPayments } from './stats.js'

async function loadPaymentAndReversal(ctx: Ctx, id: string) {
  const row = orNotFound(await findPayment(ctx, id))
  const reversal = row.reversal_id === null ? undefined : await findReversal(ctx, row.reversal_id)
  return { row, reversal: reversal ?? null }
}

export const paymentInsightRoutes: Route[] = [
  implement(stats.retrievePaymentStats, {
    async handle(ctx, { query }) {
      const zone = query.get('time_zone') ?? 'UTC'
      const days = readDays(ctx.query, 30, ctx.now + offsetOf(ctx.now, zone), MAX_PAYMENT_DAYS)
      const name = `payments ${ctx.team.id} ${zone} ${days[0]} ${days.length}`
      return one(await cacheResult(ctx.deps.store, name, ctx.deps.clock(), () => countPayments(ctx, days, zone)))
    },
  }),
  implement(insight.retrievePostings, {
    async handle(ctx, { params }) {
      const { row, reversal } = await loadPaymentAndReversal(ctx, params.pmt_id)
      const rows = await postingsOf(ctx, row.id)
      const posted = new Map<string, number>()
      for (const { account, amount } of rows) posted.set(account, (posted.get(account) ?? 0) + amount)
      return one({
        data: rows.map(({ leg, account, amount, created_at }) => ({
          leg: leg.split('.')[0],
          account,
          amount,
          created_at: showTime(created_at),
        })),
        sum: rows.reduce((all, { amount }) => all + amount, 0),
        agrees: findFaults(ledgerPayment(row, reversal), posted).length === 0,
      })
    },
  }),
  implement(insight.retrieveExplanation, {
    async handle(ctx, { params }) {
      const { row, reversal } = await loadPaymentAndReversal(ctx, params.pmt_id)
      const ends = await findAccounts(
        ctx,
        [row.source, row.destination].flatMap(end => end ?? []),
      )
      const isDisabled = (id: string | null) => ends.some(each => each.id === id && each.status === 'disabled')
      return one(
        explain({
          status: row.status as PaymentStatus,
          held: row.status === 'pending' && row.fund_status === 'hold',
          amount: row.amount,
          source: row.source,
          destination: row.destination,
          error: readJson('payments.error', row.error)?.code ?? null,
          reversal: reversal && { ...reversal, target: reversal.target_account },
          disabled: { source: isDisabled(row.source), destination: isDisabled(row.destination) },
          stopped: ctx.team.paymentsStopped,
          mayPay: ctx.scopes.has('payments'),
        }),
      )
    },
  }),
]

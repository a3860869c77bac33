import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { paymentStats } from '@causeway/contract/resources/stats'
import { DAY_MS } from '@causeway/contract/time'
import type { z } from 'zod'
import { startOf } from '../../platform/calendar/zone.js'
import { lowestId } from '../../platform/crypto/random.js'
import type { Ctx } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'

type PaymentStats = z.infer<typeof paymentStats>

/**
 * Counts payments by creation day and current status. Runs one statement per day, so that other work can run in
 * between.
 * @param days the first millisecond of each day, in UTC
 * @param zone the time zone of the days
 */
export async function countPayments(
  { db, team, now }: Ctx,
  days: readonly number[],
  zone: string,
): Promise<PaymentStats> {
  const data: PaymentStats['data'] = []
  for (const day of days) {
    const rows = await db
      .selectFrom('payments')
      .select(query => ['status', query.fn.countAll<number>().as('count'), query.fn.sum<number>('amount').as('cents')])
      .where('team_id', '=', team.id)
      .where('id', '>=', lowestId('payment', startOf(day, zone)))
      .where('id', '<', lowestId('payment', startOf(day + DAY_MS, zone)))
      .groupBy('status')
      .orderBy('status')
      .execute()
    for (const { status, count, cents } of rows)
      data.push({
        day: new Date(day).toISOString().slice(0, 10),
        status: status as PaymentStats['data'][number]['status'],
        count: Number(count),
        cents: Number(cents),
      })
    await yieldToEventLoop()
  }
  return { data, as_of: showTime(now) }
}

import { ServiceError } from '@causeway/contract/errors'
import { MINUTE_MS } from '@causeway/contract/time'
import { emit } from '../../notify/emit.js'
import { addBusinessDays, pullDate } from '../../platform/calendar/calendar.js'
import type { Scope } from '../../platform/scope.js'
import { type PaymentRow, showPayment } from './show.js'

/** The interval between checks of a held payment, in ms. */
export const HOLD_CHECK_INTERVAL_MS = MINUTE_MS
/** The number of business days between the debit of the source and the arrival of the money. */
const TRANSIT_BUSINESS_DAYS = 2

/** Returns the dates on which a payment would debit its source and deliver the money if it were submitted now. */
export function settlementDates(now: number): {
  source_settlement_date: string
  destination_settlement_date: string
  estimated_completion_date: string
} {
  const source_settlement_date = pullDate(now)
  const arrival = addBusinessDays(source_settlement_date, TRANSIT_BUSINESS_DAYS)
  return { source_settlement_date, destination_settlement_date: arrival, estimated_completion_date: arrival }
}

/** Throws if the operator has stopped payments for this team or for all teams. */
export function rejectWhileStopped({ team }: Scope): void {
  if (team.paymentsStopped) throw new ServiceError('PAYMENTS_STOPPED', undefined, { 'Retry-After': '60' })
}

/** Marks a payment as held. */
export const holdPayment = (scope: Scope, row: PaymentRow): Promise<void> => update(scope, row, { fund_status: 'hold' })

/**
 * Marks a payment as no longer held and sets new settlement dates. Only the payment's creator has seen the earlier
 * dates.
 */
export const releaseHold = (scope: Scope, row: PaymentRow): Promise<void> =>
  update(scope, row, { fund_status: 'pending', ...settlementDates(scope.now) })

async function update(scope: Scope, before: PaymentRow, change: Partial<PaymentRow>): Promise<void> {
  const row = await scope.db
    .updateTable('payments')
    .set({ ...change, updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()
  if (row) await emit(scope, 'payment.update', showPayment(row, { one: true }), showPayment(before, { one: true }))
}

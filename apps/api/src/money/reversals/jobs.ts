import type { PaymentStatus } from '@causeway/contract/resources/payment'
import { type Call, callAbout } from '../../network/ports.js'
import type { RailReversal } from '../../network/rail/port.js'
import { findAccount } from '../../people/accounts/store.js'
import { pullDate } from '../../platform/calendar/calendar.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import { railAccount } from '../payments/handover.js'
import { table } from '../payments/payment.js'
import { HOLD } from '../payments/payment-hold.js'
import { lockPayment, movePayment } from '../payments/store.js'
import { endOf } from './reversal.js'
import type { ReversalRow } from './show.js'
import { findReversal, moveReversal } from './store.js'

const nothing = async () => undefined
/** The number of attempts, the same as for payments: enough for about a week of rail downtime. */
const WEEK = 1_000

async function railReversal(scope: Scope, row: ReversalRow): Promise<Call & RailReversal> {
  const target = row.target_account === null ? undefined : await findAccount(scope, row.target_account)
  const approved_at = row.approved_at ?? row.created_at
  return {
    ...callAbout(scope, row.id),
    reversal_id: row.id,
    payment_id: row.payment_id,
    amount: row.amount,
    direction: row.direction,
    target: target ? railAccount(scope, target) : null,
    approved_at,
    date: pullDate(approved_at),
  }
}

/**
 * Submits an approved reversal to the rail under the reversal's id, and updates the reversal and its payment with the
 * moves that the rail reports.
 */
export const followReversal: JobHandler = {
  attempts: WEEK,
  async run(scope, payload) {
    const row = await findReversal(scope, payload['reversal'] ?? '')
    if (row?.status !== 'pending' && row?.status !== 'processing') return nothing
    const call = await railReversal(scope, row)
    const { rail } = scope.deps.ports
    if (row.status === 'pending') {
      if (scope.team.paymentsStopped) return async saving => ({ again: saving.now + HOLD })
      await rail.reverse(call)
    }
    const { status, code, trace_id, next_at } = await rail.reversal(call)
    return async saving => {
      const payment = await lockPayment(saving, row.payment_id)
      const now = await findReversal(saving, row.id)
      if (!payment || !now) return undefined
      if (status === 'sent' && table[payment.status as PaymentStatus].next.length > 0) {
        if (now.status === 'pending') await moveReversal(saving, now, 'processing', { trace_id })
        await movePayment(saving, payment, endOf(payment, { direction: now.direction, target: now.target_account }))
      } else if (status !== 'pending' && status !== now.status)
        await moveReversal(saving, now, status, { code, trace_id })
      return next_at === null ? undefined : { again: next_at }
    }
  },
}

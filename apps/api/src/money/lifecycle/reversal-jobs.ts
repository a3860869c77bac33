import type { RailReversal } from '@causeway/connector/ports/rail'
import { createPortCall, type RoutedCall } from '../../network/ports.js'
import { findAccount } from '../../people/holders/store.js'
import { pullDate } from '../../platform/calendar/calendar.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import { HOLD_CHECK_INTERVAL_MS } from '../payments/payment-hold.js'
import { loadRailAccounts, RAIL_JOB_ATTEMPTS, railOf } from '../payments/rail-request.js'
import { findPayment, lockPayment } from '../payments/store.js'
import type { ReversalRow } from '../reversals/show.js'
import { findReversal, transitionReversal } from '../reversals/store.js'
import { movesAfterReversalReport } from './decisions.js'
import { transitionPayment } from './transition.js'

const noEffect = async () => undefined

async function railReversal(scope: Scope, row: ReversalRow): Promise<RoutedCall & RailReversal> {
  const payment = await findPayment(scope, row.payment_id)
  const provider = payment ? railOf(scope, payment) : null
  const target = row.target_account === null ? undefined : await findAccount(scope, row.target_account)
  const approved_at = row.approved_at ?? row.created_at
  return {
    ...createPortCall(scope, row.id),
    provider,
    reversal_id: row.id,
    payment_id: row.payment_id,
    amount: row.amount,
    direction: row.direction,
    target: (await loadRailAccounts(scope, [target ?? null], provider))[0],
    approved_at,
    date: pullDate(approved_at),
  }
}

/**
 * Submits an approved reversal to the rail under the reversal's id, and updates the reversal and its payment with the
 * moves that the rail reports.
 */
export const followReversal: JobHandler = {
  attempts: RAIL_JOB_ATTEMPTS,
  async run(scope, payload) {
    const row = await findReversal(scope, payload['reversal'] ?? '')
    if (row?.status !== 'pending' && row?.status !== 'processing') return noEffect
    const call = await railReversal(scope, row)
    const { rail } = scope.deps.ports
    if (row.status === 'pending') {
      if (scope.team.paymentsStopped) return async saving => ({ again: saving.now + HOLD_CHECK_INTERVAL_MS })
      await rail.reverse(call)
    }
    const { status, code, trace_id, next_at } = await rail.reversal(call)
    return async saving => {
      const payment = await lockPayment(saving, row.payment_id)
      const current = await findReversal(saving, row.id)
      if (!payment || !current) return undefined
      const moves = movesAfterReversalReport(
        payment,
        { direction: current.direction, target: current.target_account, status: current.status },
        status,
      )
      if (moves.reversal) await transitionReversal(saving, current, moves.reversal, { code, trace_id })
      if (moves.payment) await transitionPayment(saving, payment, moves.payment)
      return next_at === null ? undefined : { again: next_at }
    }
  },
}

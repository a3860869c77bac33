import type { Rail } from '@causeway/connector/ports/rail'
import { type ResourceErrorCode, resourceCodes } from '@causeway/contract/errors'
import type { PaymentStatus } from '@causeway/contract/resources/payment'
import { HOUR_MS } from '@causeway/contract/time'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import { isTracked } from '../payments/payment.js'
import { HOLD_CHECK_INTERVAL_MS, holdPayment, releaseHold } from '../payments/payment-hold.js'
import { loadRailPayment, loadRailRequest, RAIL_JOB_ATTEMPTS, type RailRequest } from '../payments/rail-request.js'
import type { PaymentRow } from '../payments/show.js'
import { findPayment, lockPayment } from '../payments/store.js'
import { isCancelRequested } from './cancel.js'
import { endOfPayment, mustCancelAtRail, submissionAction } from './decisions.js'
import { handleNotice } from './notices.js'
import { advancePayment, saveReturn } from './transition.js'

type RailAnswer = Awaited<ReturnType<Rail['status']>>

/** The kind of job that runs {@link followPayment}. */
const FOLLOW_JOB = 'payment.follow'
const noEffect = async () => undefined
/** The maximum number of status queries before a run skips to the current time. */
const MAX_STATUS_QUERIES = 20

/** Cancels a payment at the rail if the payment must no longer be made. Returns true if the rail canceled it. */
async function cancelIfSourceFailed(
  scope: Scope,
  row: PaymentRow,
  { call, sourceError }: RailRequest,
): Promise<boolean> {
  if (!mustCancelAtRail(row.status as PaymentStatus, sourceError)) return false
  return (await scope.deps.ports.rail.cancel(call)).status === 'canceled'
}

/** Ends a payment that the rail canceled, or that it rejected because of a cancellation. */
async function endPayment(scope: Scope, row: PaymentRow, reason: ResourceErrorCode): Promise<undefined> {
  if (row.status !== 'pending') return
  const { to, code } = endOfPayment(await isCancelRequested(scope, row.id), reason)
  await advancePayment(scope, row, to, { code })
}

const endLockedPayment = (id: string, code: ResourceErrorCode) => async (saving: Scope) => {
  const row = await lockPayment(saving, id)
  return row && endPayment(saving, row, code)
}

/**
 * Submits a payment to the rail under the payment's id. The rail accepts an id only once, so a retry after a crash
 * never moves money twice. If the payment has since been canceled or its source disabled, cancels the payment at the
 * rail. Waits while payments are stopped.
 */
export const submitPayment: JobHandler = {
  attempts: RAIL_JOB_ATTEMPTS,
  async run(scope, payload, attempt) {
    const row = await findPayment(scope, payload['payment'] ?? '')
    if (!row) return noEffect
    const { rail } = scope.deps.ports
    const request = await loadRailRequest(scope, row)
    const { call } = request
    if (await cancelIfSourceFailed(scope, row, request)) return endLockedPayment(row.id, request.sourceError!)
    const action = submissionAction({
      status: row.status as PaymentStatus,
      isHeld: row.fund_status === 'hold',
      isStopped: scope.team.paymentsStopped,
      attempt,
    })
    switch (action) {
      case 'none':
        return noEffect
      case 'follow':
        return followPayment.run(scope, payload, attempt)
      case 'cancel':
        await rail.cancel(call)
        return noEffect
      case 'wait':
        return async saving => ({ again: saving.now + HOLD_CHECK_INTERVAL_MS })
      case 'wait submitted':
        // With `attempts: 1`, the next run is not treated as the first attempt either.
        return async saving => ({ again: saving.now + HOLD_CHECK_INTERVAL_MS, attempts: 1 })
      case 'hold':
        return async saving => {
          await holdPayment(saving, row)
          return { again: saving.now + HOLD_CHECK_INTERVAL_MS }
        }
      case 'resume':
        return async saving => {
          await releaseHold(saving, row)
          return { again: saving.now }
        }
    }
    const answer = await rail.submit(call)
    const reports = answer.status === 'accepted' ? await queryRail(scope, row, call) : null
    return async saving => {
      const current = await lockPayment(saving, row.id)
      if (!current) return undefined
      if (answer.status === 'refused') {
        // The rail also returns this code for a payment that was canceled before it reached the rail.
        if (answer.code === resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS)
          return endPayment(
            saving,
            current,
            (await loadRailRequest(saving, current)).sourceError ?? resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS,
          )
        await advancePayment(saving, current, 'failed', { code: answer.code })
        return undefined
      }
      if (current.status === 'canceled') return { again: saving.now }
      return applyReports(saving, current, reports!)
    }
  },
}

interface RailReports {
  answers: RailAnswer[]
  /** The time of the next query. */
  next: number | null
}

/**
 * Queries the payment's status as of its last move and as of each later time that the rail scheduled. Also returns the
 * time of the next query.
 */
async function queryRail(scope: Scope, row: PaymentRow, call: RailRequest['call']): Promise<RailReports> {
  const answers: RailAnswer[] = []
  for (let at = Math.min(row.updated_at, scope.now); ; ) {
    const answer = await scope.deps.ports.rail.status({ ...call, now: at })
    answers.push(answer)
    const { next_at } = answer
    if (next_at === null || next_at > scope.now) return { answers, next: next_at }
    if (at === scope.now) return { answers, next: scope.now + HOUR_MS }
    at = next_at > at && answers.length < MAX_STATUS_QUERIES ? next_at : scope.now
  }
}

/** Applies every move that the rail reports, including any missed during an outage or a jump in the sandbox clock. */
export const followPayment: JobHandler = {
  attempts: RAIL_JOB_ATTEMPTS,
  async run(scope, payload) {
    const row = await findPayment(scope, payload['payment'] ?? '')
    if (!row) return noEffect
    if (!isTracked(row.status as PaymentStatus)) return row.reversal_id === null ? noEffect : readNotices(scope, row)
    const request = await loadRailRequest(scope, row)
    if (await cancelIfSourceFailed(scope, row, request)) return endLockedPayment(row.id, request.sourceError!)
    const reports = await queryRail(scope, row, request.call)
    return async saving => {
      const current = await lockPayment(saving, row.id)
      return current && applyReports(saving, current, reports)
    }
  },
}

/** Reads what the rail adds about a returned payment, because a notification of change can follow a return. */
async function readNotices(scope: Scope, row: PaymentRow) {
  const call = await loadRailPayment(scope, row)
  const answer = await scope.deps.ports.rail.status({ ...call, now: scope.now })
  return async (saving: Scope) => {
    const current = await lockPayment(saving, row.id)
    if (current) await applyNotices(saving, current, answer)
    return undefined
  }
}

/** Saves the rail's own code for a return, and handles its notification of change. */
async function applyNotices(
  scope: Scope,
  row: PaymentRow,
  { returned_as, noc, corrected }: Pick<RailAnswer, 'returned_as' | 'noc' | 'corrected'>,
): Promise<PaymentRow> {
  if (noc) await handleNotice(scope, row, noc, corrected ?? {})
  return returned_as ? saveReturn(scope, row, returned_as) : row
}

/**
 * Applies the moves that the rail reported, and schedules the next run for the time of the next move that the rail
 * expects.
 */
async function applyReports(
  scope: Scope,
  row: PaymentRow,
  { answers, next }: RailReports,
): Promise<{ again: number; as: string } | undefined> {
  let current = row
  for (const answer of answers) {
    current = await advancePayment(scope, current, answer.status, answer)
    current = await applyNotices(scope, current, answer)
  }
  return next !== null && isTracked(current.status as PaymentStatus) ? { again: next, as: FOLLOW_JOB } : undefined
}

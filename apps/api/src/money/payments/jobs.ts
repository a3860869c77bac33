import { type ResourceErrorCode, resourceCodes } from '@causeway/contract/errors'
import type { PaymentStatus } from '@causeway/contract/resources/payment'
import type { Rail } from '../../network/rail/port.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import { isCancelAsked } from './cancel.js'
import { type Handover, handover, WEEK } from './handover.js'
import { isMoving } from './payment.js'
import { goOn, HOLD, hold } from './payment-hold.js'
import type { PaymentRow } from './show.js'
import { findPayment, lockPayment, walkPayment } from './store.js'

type RailAnswer = Awaited<ReturnType<Rail['status']>>

/** The kind of job that runs {@link followPayment}. */
const FOLLOW = 'payment.follow'
const nothing = async () => undefined
/** The maximum number of status queries before a run skips to the current time. */
const CATCH_UP = 20
const HOUR = 3_600_000

/** Cancels a payment at the rail if the payment must no longer be made. Returns true if the rail canceled it. */
async function takenBack(scope: Scope, row: PaymentRow, { call, stop }: Handover): Promise<boolean> {
  // mutant: disabled-source-is-not-charged (true)
  if (row.status !== 'pending' || stop === null) return false
  return (await scope.deps.ports.rail.cancel(call)).status === 'canceled'
}

/**
 * Ends a payment that the rail canceled, or that it rejected because of a cancellation. If the payment's creator
 * canceled it, the payment has no error.
 */
async function end(scope: Scope, row: PaymentRow, code: ResourceErrorCode): Promise<undefined> {
  if (row.status !== 'pending') return
  // mutant: canceled-payment-does-not-fail (false)
  if (await isCancelAsked(scope, row.id)) await walkPayment(scope, row, 'canceled', {})
  else
    await walkPayment(scope, row, code === resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS ? 'canceled' : 'failed', {
      code,
    })
}

const endLocked = (id: string, code: ResourceErrorCode) => async (saving: Scope) => {
  const row = await lockPayment(saving, id)
  return row && end(saving, row, code)
}

/**
 * Submits a payment to the rail under the payment's id. The rail accepts an id only once, so a retry after a crash
 * never moves money twice. If the payment has since been canceled or its source disabled, cancels the payment at the
 * rail. Waits while payments are stopped.
 */
export const submitPayment: JobHandler = {
  attempts: WEEK,
  async run(scope, payload, attempt) {
    const row = await findPayment(scope, payload['payment'] ?? '')
    if (row?.status !== 'pending' && row?.status !== 'canceled') return nothing
    const { rail } = scope.deps.ports
    const given = await handover(scope, row)
    const { call } = given
    if (row.status === 'canceled') {
      await rail.cancel(call)
      return nothing
    }
    if (await takenBack(scope, row, given)) return endLocked(row.id, given.stop!)
    // mutant: stopped-payments-wait (= false)
    const stopped = scope.team.paymentsStopped
    const isHeld = row.fund_status === 'hold'
    // An earlier attempt may have reached the rail, so the payment keeps its dates. With `attempts: 1`, the next run is
    // not treated as the first attempt either.
    if (stopped && !isHeld && attempt > 1) return async saving => ({ again: saving.now + HOLD, attempts: 1 })
    if (stopped || isHeld)
      return async saving => {
        if (stopped === isHeld) return { again: saving.now + HOLD }
        await (stopped ? hold : goOn)(saving, row)
        return { again: stopped ? saving.now + HOLD : saving.now }
      }
    const answer = await rail.submit(call)
    const first = answer.status === 'accepted' ? await ask(scope, row, call) : null
    return async saving => {
      const now = await lockPayment(saving, row.id)
      if (!now) return undefined
      if (answer.status === 'refused') {
        // The rail also returns this code for a payment that was canceled before it reached the rail.
        if (answer.code === resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS)
          return end(
            saving,
            now,
            (await handover(saving, now)).stop ?? resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS,
          )
        await walkPayment(saving, now, 'failed', { code: answer.code })
        return undefined
      }
      if (now.status === 'canceled') return { again: saving.now }
      return follow(saving, now, first!)
    }
  },
}

interface Told {
  answers: RailAnswer[]
  /** The time of the next query. */
  next: number | null
}

/**
 * Queries the payment's status as of its last move and as of each later time that the rail scheduled. Also returns the
 * time of the next query.
 */
async function ask(scope: Scope, row: PaymentRow, call: Handover['call']): Promise<Told> {
  const answers: RailAnswer[] = []
  for (let at = Math.min(row.updated_at, scope.now); ; ) {
    const answer = await scope.deps.ports.rail.status({ ...call, now: at })
    answers.push(answer)
    const { next_at } = answer
    if (next_at === null || next_at > scope.now) return { answers, next: next_at }
    if (at === scope.now) return { answers, next: scope.now + HOUR }
    at = next_at > at && answers.length < CATCH_UP ? next_at : scope.now
  }
}

/** Applies every move that the rail reports, including any missed during an outage or a jump in the sandbox clock. */
export const followPayment: JobHandler = {
  attempts: WEEK,
  async run(scope, payload) {
    const row = await findPayment(scope, payload['payment'] ?? '')
    if (!row || !isMoving(row.status as PaymentStatus)) return nothing
    const given = await handover(scope, row)
    if (await takenBack(scope, row, given)) return endLocked(row.id, given.stop!)
    const told = await ask(scope, row, given.call)
    return async saving => {
      const now = await lockPayment(saving, row.id)
      return now && follow(saving, now, told)
    }
  },
}

/**
 * Applies the moves that the rail reported, and schedules the next run for the time of the next move that the rail
 * expects.
 */
async function follow(
  scope: Scope,
  row: PaymentRow,
  { answers, next }: Told,
): Promise<{ again: number; as: string } | undefined> {
  let now = row
  for (const { status, next_at: _, ...said } of answers) now = await walkPayment(scope, now, status, said)
  return next !== null && isMoving(now.status as PaymentStatus) ? { again: next, as: FOLLOW } : undefined
}

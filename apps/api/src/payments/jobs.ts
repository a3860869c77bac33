import type { PaymentStatus } from '@causeway/contract/resources/payment'
import type { JobHandler } from '../jobs/jobs.js'
import type { Rail } from '../rail/port.js'
import type { Scope } from '../scope.js'
import { railPayment } from './handover.js'
import { isMoving } from './payment.js'
import type { PaymentRow } from './show.js'
import { findPayment, lockPayment, walkPayment } from './store.js'

type RailAnswer = Awaited<ReturnType<Rail['status']>>

const nothing = async () => undefined
/** Tries of a job that must not be given up: about a week of a rail that can't be reached. */
const WEEK = 1_000
/** How many moves of the past a single run asks for. */
const CATCH_UP = 20
const HOUR = 3_600_000

/**
 * Hands a payment to the rail, under its id: the rail takes one id once, so that asking again after a crash moves no money
 * twice. A payment that was canceled meanwhile is taken back.
 */
export const submitPayment: JobHandler = {
  attempts: WEEK,
  async run(scope, payload) {
    const row = await findPayment(scope, payload['payment'] ?? '')
    if (row?.status !== 'pending' && row?.status !== 'canceled') return nothing
    const { rail } = scope.deps.ports
    if (row.status === 'canceled') {
      await rail.cancel(await railPayment(scope, row))
      return nothing
    }
    const answer = await rail.submit(await railPayment(scope, row))
    return async saving => {
      const now = await lockPayment(saving, row.id)
      if (!now) return undefined
      if (answer.status === 'refused') {
        await walkPayment(saving, now, answer.code === 10004 ? 'canceled' : 'failed', { code: answer.code })
        return undefined
      }
      if (now.status === 'canceled') return { again: saving.now }
      await saving.deps.jobs.enqueue(saving, {
        kind: 'payment.follow',
        payload: { payment: row.id },
        at: saving.now,
        unique: `payment.follow ${row.id}`,
      })
      return undefined
    }
  },
}

/** Where the rail says a payment was, at each time since its last move that the rail named, and when to ask again. */
async function ask(scope: Scope, row: PaymentRow): Promise<{ answers: RailAnswer[]; next: number | null }> {
  const call = await railPayment(scope, row)
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

/** Makes the moves that the rail tells of: all of them, also after an outage or a leap of the sandbox clock. */
export const followPayment: JobHandler = {
  attempts: WEEK,
  async run(scope, payload) {
    const row = await findPayment(scope, payload['payment'] ?? '')
    if (!row || !isMoving(row.status as PaymentStatus)) return nothing
    const { answers, next } = await ask(scope, row)
    return async saving => {
      let now = await lockPayment(saving, row.id)
      if (!now) return undefined
      for (const { status, code, source_trace_id, destination_trace_id } of answers)
        now = await walkPayment(saving, now, status, { code, source_trace_id, destination_trace_id })
      return next !== null && isMoving(now.status as PaymentStatus) ? { again: next } : undefined
    }
  },
}

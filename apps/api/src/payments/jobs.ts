import type { PaymentStatus } from '@causeway/contract/resources/payment'
import type { JobHandler } from '../jobs/jobs.js'
import type { Rail } from '../rail/port.js'
import type { Scope } from '../scope.js'
import { isCancelAsked } from './cancel.js'
import { railPayment, WEEK } from './handover.js'
import { goOn, HOLD, hold } from './hold.js'
import { isMoving } from './payment.js'
import type { PaymentRow } from './show.js'
import { findPayment, lockPayment, walkPayment } from './store.js'

type RailAnswer = Awaited<ReturnType<Rail['status']>>

/** The kind of job that {@link followPayment} does. */
const FOLLOW = 'payment.follow'
const nothing = async () => undefined
/** How many moves of the past a single run asks for. */
const CATCH_UP = 20
const HOUR = 3_600_000

/**
 * Hands a payment to the rail, under its id: the rail takes one id once, so that asking again after a crash moves no money
 * twice. A payment that was canceled meanwhile is taken back; while payments are stopped it waits.
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
    const stopped = scope.team.paymentsStopped
    if (stopped || row.fund_status === 'hold')
      return async saving => {
        if (stopped === (row.fund_status === 'hold')) return { again: saving.now + HOLD }
        await (stopped ? hold : goOn)(saving, row)
        return { again: stopped ? saving.now + HOLD : saving.now }
      }
    const call = await railPayment(scope, row)
    const answer = await rail.submit(call)
    const first = answer.status === 'accepted' ? await ask(scope, row, call) : null
    return async saving => {
      const now = await lockPayment(saving, row.id)
      if (!now) return undefined
      if (answer.status === 'refused') {
        const { code } = answer
        // What is refused because its cancel came first was canceled by its maker, and nothing is wrong with it.
        const asked = code === 10004 && (await isCancelAsked(saving, row.id))
        await walkPayment(saving, now, code === 10004 ? 'canceled' : 'failed', { code: asked ? null : code })
        return undefined
      }
      if (now.status === 'canceled') return { again: saving.now }
      return follow(saving, now, first!)
    }
  },
}

interface Told {
  answers: RailAnswer[]
  /** When to ask again. */
  next: number | null
}

/** Where the rail says a payment was, at each time since its last move that the rail named, and when to ask again. */
async function ask(scope: Scope, row: PaymentRow, call: Awaited<ReturnType<typeof railPayment>>): Promise<Told> {
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
    const told = await ask(scope, row, await railPayment(scope, row))
    return async saving => {
      const now = await lockPayment(saving, row.id)
      return now && follow(saving, now, told)
    }
  },
}

/** Makes the moves that were told of, and comes back when the rail has more to say. */
async function follow(
  scope: Scope,
  row: PaymentRow,
  { answers, next }: Told,
): Promise<{ again: number; as: string } | undefined> {
  let now = row
  for (const { status, next_at: _, ...said } of answers) now = await walkPayment(scope, now, status, said)
  return next !== null && isMoving(now.status as PaymentStatus) ? { again: next, as: FOLLOW } : undefined
}

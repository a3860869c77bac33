import { type ResourceErrorCode, resourceError } from '@causeway/contract/errors'
import type { PaymentStatus } from '@causeway/contract/resources/payment'
import { chicagoDate } from '../calendar/calendar.js'
import { emit } from '../events/store.js'
import type { Scope } from '../scope.js'
import { applyConsequence } from './consequences.js'
import { legs, movesInto, route } from './payment.js'
import { type PaymentRow, showPayment } from './show.js'

const ofTeam = (scope: Scope) => scope.db.selectFrom('payments').selectAll().where('team_id', '=', scope.team.id)

export async function findPayment(scope: Scope, id: string): Promise<PaymentRow | undefined> {
  return ofTeam(scope).where('id', '=', id).executeTakeFirst()
}

/** The same, held until the transaction ends. */
export async function lockPayment(scope: Scope, id: string): Promise<PaymentRow | undefined> {
  return scope.deps.store.lock(ofTeam(scope).where('id', '=', id)).executeTakeFirst()
}

/** The payment that was made with an Idempotency-Key, however long ago. */
export async function findPaymentByKey(scope: Scope, key: string | null): Promise<PaymentRow | undefined> {
  return key === null ? undefined : ofTeam(scope).where('idempotency_key', '=', key).executeTakeFirst()
}

/** What is known with a move: why it was made, and how the banks name it. */
export interface MoveDetails {
  code?: ResourceErrorCode | null
  source_trace_id?: string | null
  destination_trace_id?: string | null
}

/**
 * Makes one move, tells of it, and does what follows from it. The row decides: where its status does not allow the move
 * any more, nothing happens and undefined is given back.
 */
export async function movePayment(
  scope: Scope,
  before: PaymentRow,
  to: PaymentStatus,
  { code = null, source_trace_id = null, destination_trace_id = null }: MoveDetails = {},
): Promise<PaymentRow | undefined> {
  const from = movesInto(to)
  if (from.length === 0) return undefined
  const row = await scope.db
    .updateTable('payments')
    .set({
      status: to,
      ...legs(to, code),
      ...(code === null ? {} : { error: JSON.stringify(resourceError(code)) }),
      ...(to === 'posted' ? { destination_posted_date: chicagoDate(scope.now) } : {}),
      ...(source_trace_id === null ? {} : { source_trace_id }),
      ...(destination_trace_id === null ? {} : { destination_trace_id }),
      updated_at: scope.now,
    })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  await emit(scope, 'payment.update', showPayment(row, { one: true }), showPayment(before, { one: true }))
  if (code !== null) await applyConsequence(scope, row, code)
  return row
}

/** Makes every move that leads to a status, each for itself; none where no way leads there. The error belongs to the last. */
export async function walkPayment(
  scope: Scope,
  before: PaymentRow,
  to: PaymentStatus,
  { code = null, ...traces }: MoveDetails,
): Promise<PaymentRow> {
  let row = before
  for (const step of route(before.status as PaymentStatus, to) ?? []) {
    const moved = await movePayment(scope, row, step, { ...traces, code: step === to ? code : null })
    if (!moved) return row
    row = moved
  }
  return row
}

import { type ResourceErrorCode, resourceCodes, resourceError } from '@causeway/contract/errors'
import { isPart } from '@causeway/contract/money'
import type { PaymentStatus } from '@causeway/contract/resources/payment'
import { emit } from '../../notify/events/store.js'
import { findAccount } from '../../people/accounts/store.js'
import { chicagoDate } from '../../platform/calendar/calendar.js'
import { compiled } from '../../platform/db/compiled-query.js'
import { writeJson } from '../../platform/db/json.js'
import { locked } from '../../platform/db/row-locks.js'
import type { Db } from '../../platform/db/store.js'
import type { Scope } from '../../platform/scope.js'
import { paidOf, post } from '../ledger/store.js'
import { planReversal, reversalMoves } from '../reversals/reversal.js'
import type { ReversalRow } from '../reversals/show.js'
import { findReversal, insertReversal, moveReversal, newReversalId } from '../reversals/store.js'
import { applyConsequence } from './consequences.js'
import { legs, mayMove, movesInto, route, table } from './payment.js'
import { keptOf, type PaymentRow, type ShownPayment, shownColumns, showPayment } from './show.js'

const ofTeam = (db: Db, team: string) =>
  db
    .selectFrom('payments')
    .selectAll()
    // mutant: payments-of-own-team (remove)
    .where('team_id', '=', team)
const byId = compiled((db, { team, id }: { team: string; id: string }) => ofTeam(db, team).where('id', '=', id))
const shownById = compiled((db, { team, id }: { team: string; id: string }) =>
  db.selectFrom('payments').select(shownColumns).where('team_id', '=', team).where('id', '=', id),
)
const byIdLocked = compiled((db, { team, id }: { team: string; id: string }) =>
  locked(db, ofTeam(db, team).where('id', '=', id)),
)
const byKey = compiled((db, { team, key }: { team: string; key: string }) =>
  ofTeam(db, team).where('idempotency_key', '=', key),
)

export async function findPayment(scope: Scope, id: string): Promise<PaymentRow | undefined> {
  return byId.first(scope.db, { team: scope.team.id, id })
}

/** Finds a payment as {@link findPayment} does, with only the columns that responses show. */
export async function findShownPayment(scope: Scope, id: string): Promise<ShownPayment | undefined> {
  return shownById.first(scope.db, { team: scope.team.id, id })
}

/** Finds a payment and locks its row until the transaction ends. */
export async function lockPayment(scope: Scope, id: string): Promise<PaymentRow | undefined> {
  return byIdLocked.first(scope.db, { team: scope.team.id, id })
}

/** Finds the payment that was created with an Idempotency-Key, however old the payment is. */
export async function findPaymentByKey(scope: Scope, key: string | null): Promise<PaymentRow | undefined> {
  return key === null ? undefined : byKey.first(scope.db, { team: scope.team.id, key })
}

/** The details of a move: its error code, the banks' trace ids, and the amount of a partial return. */
export interface MoveDetails {
  code?: ResourceErrorCode | null
  source_trace_id?: string | null
  destination_trace_id?: string | null
  /** The returned amount, in cents. */
  returned?: number | null
  /** The reversal's description, if the move approves the reversal. */
  description?: string
  /** Set for a manual move. After a manual move, the rail may report a different status. */
  simulated?: true
}

/**
 * Makes one move: saves it, emits its event, posts it, and applies its effects to the reversal and the accounts. If the
 * row's status no longer allows the move, does nothing and returns undefined.
 */
export async function movePayment(
  scope: Scope,
  before: PaymentRow,
  to: PaymentStatus,
  details: MoveDetails = {},
): Promise<PaymentRow | undefined> {
  const { code = null, source_trace_id = null, destination_trace_id = null } = details
  const from = movesInto(to).filter(status => mayMove({ ...before, status }, to, chicagoDate(scope.now)))
  // mutant: failed-reversal-is-not-sent (drop 2)
  if (from.length === 0 || !(await reversalAllows(scope, before, to))) return undefined
  const reverses = table[to].reversal !== undefined && table[to].error !== undefined && before.reversal_id === null
  const row = await scope.db
    .updateTable('payments')
    .set({
      status: to,
      ...legs(to, code),
      ...(code === null ? {} : { error: writeJson(resourceError(code)) }),
      ...(to === 'failed' ? { failed_at: scope.now } : {}),
      ...(to === 'posted' ? { destination_posted_date: chicagoDate(scope.now) } : {}),
      ...(source_trace_id === null ? {} : { source_trace_id }),
      ...(destination_trace_id === null ? {} : { destination_trace_id }),
      ...(reverses ? { reversal_id: newReversalId(scope) } : {}),
      ...(details.simulated ? { simulated: 1 } : {}),
      updated_at: scope.now,
    })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  const reversal = reverses ? await reverse(scope, row, details) : await goOn(scope, row, details)
  // mutant: transitions-are-posted (remove)
  await post(scope, row.id, paidOf(before, reversal), paidOf(row, reversal))
  await emit(scope, 'payment.update', showPayment(row, { one: true }), showPayment(before, { one: true }))
  if (code !== null) await applyConsequence(scope, row, code, details.simulated === true)
  return row
}

/**
 * Returns true if the payment has no reversal, or if its reversal can also make the move. A failed reversal, for
 * example, can't move to `sent`.
 */
async function reversalAllows(scope: Scope, { reversal_id }: PaymentRow, to: PaymentStatus): Promise<boolean> {
  const wanted = table[to].reversal
  const reversal = reversal_id === null || !wanted ? undefined : await findReversal(scope, reversal_id)
  return !reversal || reversal.status === wanted || reversalMoves[reversal.status].includes(wanted!)
}

/** Creates the reversal of a returned payment. */
async function reverse(scope: Scope, row: PaymentRow, { code, returned }: MoveDetails): Promise<ReversalRow> {
  const destination = row.destination === null ? undefined : await findAccount(scope, row.destination)
  const partial = row.status === 'partial_reversal_processing'
  if (partial && !isPart(returned ?? 0, row.amount - keptOf(row)))
    throw new Error('The returned amount must be less than the amount that arrived.')
  // Only the destination can return part of a payment.
  const plan = planReversal(
    row,
    destination?.type ?? 'liability',
    partial
      ? resourceCodes.PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION
      : (code ?? resourceCodes.PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION),
  )
  return insertReversal(scope, {
    id: row.reversal_id!,
    payment: row.id,
    plan,
    amount: partial ? returned! : row.amount,
    status: table[row.status as PaymentStatus].reversal!,
  })
}

/** Moves the payment's reversal to the matching status. */
async function goOn(scope: Scope, row: PaymentRow, { description }: MoveDetails): Promise<ReversalRow | null> {
  const to = table[row.status as PaymentStatus].reversal
  const reversal = row.reversal_id === null || !to ? undefined : await findReversal(scope, row.reversal_id)
  if (!reversal || !to) return null
  return (
    (await moveReversal(scope, reversal, to, description === undefined ? {} : { description })) ??
    (await findReversal(scope, reversal.id))!
  )
}

/**
 * Makes each move on the path to a status. Does nothing if no path exists. The error and the returned amount apply only
 * to the last move.
 */
export async function walkPayment(
  scope: Scope,
  before: PaymentRow,
  to: PaymentStatus,
  { code = null, returned = null, ...traces }: MoveDetails,
): Promise<PaymentRow> {
  let row = before
  for (const step of route(before.status as PaymentStatus, to) ?? []) {
    const moved = await movePayment(scope, row, step, { ...traces, ...(step === to ? { code, returned } : {}) })
    if (!moved) return row
    row = moved
  }
  return row
}

import type { RailReturn } from '@causeway/connector/ports/rail'
import { type ResourceErrorCode, resourceCodes, resourceError } from '@causeway/contract/errors'
import { isPartialAmount } from '@causeway/contract/money'
import type { PaymentStatus } from '@causeway/contract/resources/payment'
import { emit } from '../../notify/emit.js'
import { findAccount } from '../../people/holders/store.js'
import { chicagoDate } from '../../platform/calendar/calendar.js'
import { writeJson } from '../../platform/db/json.js'
import type { Scope } from '../../platform/scope.js'
import { addPostings, ledgerPayment } from '../ledger/store.js'
import { legStatuses, pathBetween, statusRules } from '../payments/payment.js'
import { feeOf, type PaymentRow, showPayment } from '../payments/show.js'
import { planReversal } from '../reversals/reversal.js'
import type { ReversalRow } from '../reversals/show.js'
import { findReversal, insertReversal, newReversalId, transitionReversal } from '../reversals/store.js'
import { applyConsequence } from './consequences.js'
import { statusesThatAllow } from './decisions.js'

/** The details of a move: its error code, the rail's own code, the banks' trace ids, and the amount of a partial return. */
export interface TransitionDetails {
  code?: ResourceErrorCode | null
  returned_as?: RailReturn | null
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
export async function transitionPayment(
  scope: Scope,
  before: PaymentRow,
  to: PaymentStatus,
  details: TransitionDetails = {},
): Promise<PaymentRow | undefined> {
  const { code = null, returned_as = null, source_trace_id = null, destination_trace_id = null } = details
  const reversalBefore = before.reversal_id === null ? undefined : await findReversal(scope, before.reversal_id)
  const from = statusesThatAllow(before, reversalBefore?.status, to, chicagoDate(scope.now))
  if (from.length === 0) return undefined
  const needsReversal =
    statusRules[to].reversal !== undefined && statusRules[to].error !== undefined && before.reversal_id === null
  const row = await scope.db
    .updateTable('payments')
    .set({
      status: to,
      ...legStatuses(to, code),
      ...(code === null ? {} : { error: writeJson(resourceError(code)) }),
      ...(returned_as === null ? {} : { returned_as: returnText(returned_as) }),
      ...(to === 'failed' ? { failed_at: scope.now } : {}),
      ...(to === 'posted' ? { destination_posted_date: chicagoDate(scope.now) } : {}),
      ...(source_trace_id === null ? {} : { source_trace_id }),
      ...(destination_trace_id === null ? {} : { destination_trace_id }),
      ...(needsReversal ? { reversal_id: newReversalId(scope) } : {}),
      ...(details.simulated ? { simulated: 1 } : {}),
      updated_at: scope.now,
    })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  const reversal = needsReversal
    ? await createReversal(scope, row, details)
    : await advanceReversal(scope, row, details)
  // mutant: transitions-are-posted (remove)
  await addPostings(scope, row.id, ledgerPayment(before, reversal), ledgerPayment(row, reversal))
  await emit(scope, 'payment.update', showPayment(row, { one: true }), showPayment(before, { one: true }))
  if (code !== null) await applyConsequence(scope, row, code, details.simulated === true)
  return row
}

/** Creates the reversal of a returned payment. */
async function createReversal(
  scope: Scope,
  row: PaymentRow,
  { code, returned }: TransitionDetails,
): Promise<ReversalRow> {
  const destination = row.destination === null ? undefined : await findAccount(scope, row.destination)
  const partial = row.status === 'partial_reversal_processing'
  if (partial && !isPartialAmount(returned ?? 0, row.amount - feeOf(row)))
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
    status: statusRules[row.status as PaymentStatus].reversal!,
  })
}

/** Moves the payment's reversal to the matching status. */
async function advanceReversal(
  scope: Scope,
  row: PaymentRow,
  { description }: TransitionDetails,
): Promise<ReversalRow | null> {
  const to = statusRules[row.status as PaymentStatus].reversal
  const reversal = row.reversal_id === null || !to ? undefined : await findReversal(scope, row.reversal_id)
  if (!reversal || !to) return null
  return (
    (await transitionReversal(scope, reversal, to, description === undefined ? {} : { description })) ??
    (await findReversal(scope, reversal.id))!
  )
}

const returnText = ({ code, at, trace }: RailReturn) => writeJson({ code, at, trace })

/** Saves the rail's own code for a return whose move was made before the rail reported the code. */
export async function saveReturn(scope: Scope, before: PaymentRow, back: RailReturn): Promise<PaymentRow> {
  const returned_as = returnText(back)
  if (before.returned_as === returned_as) return before
  const row = await scope.db
    .updateTable('payments')
    .set({ returned_as, updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit(scope, 'payment.update', showPayment(row, { one: true }), showPayment(before, { one: true }))
  return row
}

/**
 * Makes each move on the path to a status. Does nothing if no path exists. The error, the rail's own code and the
 * returned amount apply only to the last move.
 */
export async function advancePayment(
  scope: Scope,
  before: PaymentRow,
  to: PaymentStatus,
  { code = null, returned_as = null, returned = null, ...traces }: TransitionDetails,
): Promise<PaymentRow> {
  let row = before
  for (const step of pathBetween(before.status as PaymentStatus, to) ?? []) {
    const next = await transitionPayment(scope, row, step, {
      ...traces,
      ...(step === to ? { code, returned_as, returned } : {}),
    })
    if (!next) return row
    row = next
  }
  return row
}

import { type ResourceErrorCode, resourceError } from '@causeway/contract/errors'
import type { ReversalStatus } from '@causeway/contract/resources/payment'
import { emit } from '../../notify/emit.js'
import { createId } from '../../platform/crypto/random.js'
import { writeJson } from '../../platform/db/json.js'
import { findRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import { type ReversalPlan, reversalTransitions } from './reversal.js'
import { type ReversalRow, showReversal } from './show.js'

const REVERSAL_DESCRIPTION = 'PmtRvrsl'

const ofTeam = (scope: Scope) => scope.db.selectFrom('reversals').selectAll().where('team_id', '=', scope.team.id)

/** Returns all reversals of a payment, in creation order. */
export async function reversalsOfPayment(scope: Scope, payment: string): Promise<ReversalRow[]> {
  return ofTeam(scope).where('payment_id', '=', payment).orderBy('id').execute()
}

/** Finds a reversal by its id. If `payment` is given, finds only a reversal of that payment. */
export async function findReversal(scope: Scope, id: string, payment?: string): Promise<ReversalRow | undefined> {
  const row = await findRow(scope, 'reversals', id)
  return payment === undefined || row?.payment_id === payment ? row : undefined
}

/** Saves a new reversal, emits its event, and starts it if no approval is needed. */
export async function insertReversal(
  scope: Scope,
  input: { id: string; payment: string; plan: ReversalPlan; amount: number; status: ReversalStatus },
): Promise<ReversalRow> {
  const approved = input.status === 'pending'
  const row: ReversalRow = {
    id: input.id,
    team_id: scope.team.id,
    payment_id: input.payment,
    target_account: input.plan.target,
    trace_id: null,
    direction: input.plan.direction,
    description: REVERSAL_DESCRIPTION,
    amount: input.amount,
    status: input.status,
    error: null,
    approved_at: approved ? scope.now : null,
    created_at: scope.now,
    updated_at: scope.now,
  }
  await scope.db.insertInto('reversals').values(row).execute()
  await emit(scope, 'payment_reversal.create', showReversal(row))
  if (approved) await enqueueFollow(scope, row)
  return row
}

export const newReversalId = (scope: Scope): string => createId('reversal', scope.now)

/** Makes one reversal move and emits its event. Does nothing if the status no longer allows the move. */
export async function transitionReversal(
  scope: Scope,
  before: ReversalRow,
  to: ReversalStatus,
  change: { code?: ResourceErrorCode | null; trace_id?: string | null; description?: string } = {},
): Promise<ReversalRow | undefined> {
  const from = (Object.keys(reversalTransitions) as ReversalStatus[]).filter(status =>
    reversalTransitions[status].includes(to),
  )
  if (from.length === 0) return undefined
  const row = await scope.db
    .updateTable('reversals')
    .set({
      status: to,
      ...(to === 'pending' ? { approved_at: scope.now } : {}),
      ...(change.code ? { error: writeJson(resourceError(change.code)) } : {}),
      ...(change.trace_id ? { trace_id: change.trace_id } : {}),
      ...(change.description === undefined ? {} : { description: change.description }),
      updated_at: scope.now,
    })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  await emit(scope, 'payment_reversal.update', showReversal(row), showReversal(before))
  if (to === 'pending') await enqueueFollow(scope, row)
  return row
}

/** Enqueues the job that submits the reversal to the rail and tracks its status. */
async function enqueueFollow(scope: Scope, row: ReversalRow): Promise<void> {
  await scope.deps.jobs.enqueue(scope, { kind: 'reversal.follow', payload: { reversal: row.id } })
}

import { OutsideError } from '@causeway/connector/ports/outside-error'
import { ServiceError } from '@causeway/contract/errors'
import { SECOND_MS } from '@causeway/contract/time'
import { writeJson } from '../../platform/db/json.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { type Ctx, type Scope, transact } from '../../platform/scope.js'
import { loadRailPayment, RAIL_JOB_ATTEMPTS } from '../payments/rail-request.js'
import type { PaymentRow } from '../payments/show.js'
import { findPayment, lockPayment } from '../payments/store.js'
import { transitionPayment } from './transition.js'

/** The time, in ms, after which a job takes over a cancellation that its request has not completed. */
const CANCEL_TAKEOVER_MS = 30 * SECOND_MS

const jobKey = (payment: string) => `cancel ${payment}`

/**
 * Calls the rail to cancel a payment. Must not be called inside a transaction. Records the request first, so that a job
 * can complete the cancellation if the request fails midway. Otherwise, the payment would stay pending even though the
 * rail will never process it.
 */
export async function requestCancel(ctx: Ctx, row: PaymentRow): Promise<void> {
  await transact(ctx.deps, ctx.team, scope => recordCancel(scope, row.id))
  try {
    const answer = await ctx.deps.ports.rail.cancel(await loadRailPayment(ctx, row))
    if (answer.status === 'too_late')
      throw new ServiceError(
        'INVALID_STATUS',
        'The payment was already sent to the rail and can no longer be canceled.',
      )
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    const isWithdrawn =
      error.outcome !== 'unknown' && (await transact(ctx.deps, ctx.team, scope => withdrawCancel(scope, row.id)))
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      isWithdrawn
        ? 'The rail could not be reached. Nothing was changed. Retry the request.'
        : 'The rail did not respond. The service will retry soon and cancel the payment, unless the rail has already sent it.',
    )
  }
}

/** Records the request, or marks the record of an earlier request as shared. */
async function recordCancel(scope: Scope, payment: string): Promise<void> {
  await lockPayment(scope, payment)
  const shared = await scope.db
    .updateTable('jobs')
    .set({ payload: writeJson({ payment, shared: 'yes' }) })
    .where('team_id', '=', scope.team.id)
    .where('unique_key', '=', jobKey(payment))
    .returning('id')
    .executeTakeFirst()
  if (shared) return
  const job = { kind: 'payment.cancel', payload: { payment }, unique: jobKey(payment) }
  await scope.deps.jobs.enqueue(scope, { ...job, at: scope.now + CANCEL_TAKEOVER_MS, clocked: false, awaited: true })
}

/**
 * Deletes the record of a request that did not reach the rail. Keeps it if another request shares it or a job has taken
 * it up, because the rail may then have canceled the payment.
 * @returns true if the record was deleted
 */
async function withdrawCancel(scope: Scope, payment: string): Promise<boolean> {
  const deleted = await scope.db
    .deleteFrom('jobs')
    .where('team_id', '=', scope.team.id)
    .where('unique_key', '=', jobKey(payment))
    // mutant: shared-cancel-is-kept (remove)
    .where('payload', '=', writeJson({ payment }))
    .where('claims', '=', 0)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Returns true if a cancellation of the payment was requested but its outcome is not yet known. */
export async function isCancelRequested(scope: Scope, payment: string): Promise<boolean> {
  const query = scope.db
    .selectFrom('jobs')
    .select('id')
    .where('team_id', '=', scope.team.id)
    .where('unique_key', '=', jobKey(payment))
  return (await query.executeTakeFirst()) !== undefined
}

/** Deletes the cancel job after the request finishes normally. */
export async function deleteCancelJob(scope: Scope, payment: string): Promise<void> {
  await scope.db
    .deleteFrom('jobs')
    .where('team_id', '=', scope.team.id)
    .where('unique_key', '=', jobKey(payment))
    .where('lease_owner', 'is', null)
    .execute()
}

/** Completes a cancellation whose request failed midway. The rail returns the same response as the first time. */
export const completeCancel: JobHandler = {
  attempts: RAIL_JOB_ATTEMPTS,
  async run(scope, payload) {
    const row = await findPayment(scope, payload['payment'] ?? '')
    if (row?.status !== 'pending') return async () => undefined
    const { status } = await scope.deps.ports.rail.cancel(await loadRailPayment(scope, row))
    return async saving => {
      const current = await lockPayment(saving, row.id)
      // mutant: accepted-cancel-is-kept (remove)
      if (current && status === 'canceled') await transitionPayment(saving, current, 'canceled')
      return undefined
    }
  },
}

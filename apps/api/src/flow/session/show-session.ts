import { showTime } from '../../platform/show.js'
import { readAllocations, readConfig, readProgress, type SessionRow, sessionJson } from './session.js'

/**
 * Returns a session in the format that its GET endpoint and its events use. `bt` is null unless the mode is
 * `balance_transfer`.
 */
export function showOpalSession(row: SessionRow): Record<string, unknown> & { id: string } {
  const { terms } = readConfig(row)
  const { exited, not_me, requested_loan, shown } = readProgress(row)
  const errors = sessionJson.payment_errors.read(row.payment_errors)
  return {
    id: row.id,
    mode: row.mode,
    entity_id: row.entity_id,
    step: shown,
    bt: terms && {
      loan_amount: terms.loan_amount,
      minimum_payment: terms.minimum_payment,
      maximum_payment: terms.maximum_payment,
      residual_amount_max: terms.residual_amount_max,
      ...(requested_loan !== null ? { requested_loan_amount: requested_loan } : {}),
      allocations: readAllocations(row),
      payout_status: row.payout_status,
      payment_ids: sessionJson.payment_ids.read(row.payment_ids),
      ...(Object.keys(errors).length > 0 ? { payment_errors: errors } : {}),
      released_at: row.released_at === null ? null : showTime(row.released_at),
      completed: row.completed_at !== null,
    },
    ...(terms === null && row.completed_at !== null ? { completed_at: showTime(row.completed_at) } : {}),
    ...(exited !== null && row.completed_at === null ? { exited_at: showTime(exited) } : {}),
    ...(not_me !== null ? { not_me_at: showTime(not_me) } : {}),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

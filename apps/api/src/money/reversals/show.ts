import { readJson } from '../../platform/db/json.js'
import type { Tables } from '../../platform/db/tables.js'
import { showTime } from '../../platform/show.js'

export type ReversalRow = Tables['reversals']

/** Returns a reversal in its API format. */
export function showReversal(row: ReversalRow): Record<string, unknown> & { id: string } {
  return {
    id: row.id,
    pmt_id: row.payment_id,
    target_account: row.target_account,
    trace_id: row.trace_id,
    direction: row.direction,
    description: row.description,
    amount: row.amount,
    status: row.status,
    fee: null,
    error: readJson('reversals.error', row.error),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

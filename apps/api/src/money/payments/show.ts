import { readJson } from '../../platform/db/json.js'
import type { Tables } from '../../platform/db/tables.js'
import { showTime } from '../../platform/show.js'

export type PaymentRow = Tables['payments']

/** The columns that responses show. */
export const shownColumns = [
  'id',
  'source',
  'destination',
  'amount',
  'description',
  'status',
  'fund_status',
  'estimated_completion_date',
  'source_trace_id',
  'source_settlement_date',
  'source_status',
  'destination_trace_id',
  'destination_settlement_date',
  'destination_status',
  'destination_payment_method',
  'destination_posted_date',
  'reversal_id',
  'reversal_account',
  'payment_instrument',
  'fee',
  'type',
  'error',
  'returned_as',
  'idempotency_key',
  'metadata',
  'created_at',
  'updated_at',
] as const
export type ShownPayment = Pick<PaymentRow, (typeof shownColumns)[number]>

/** The team's share of a payment, in cents. The destination receives the amount minus this share. */
export const feeOf = ({ fee }: Pick<PaymentRow, 'fee'>): number =>
  fee === null ? 0 : readJson('payments.fee', fee).amount

function showReturn({ returned_as }: ShownPayment) {
  const back = readJson('payments.returned_as', returned_as)
  return back && { code: back.code, at: showTime(back.at), trace: back.trace }
}

/**
 * Returns a payment in its API format.
 * @param shape.one true for a response about this payment only. That response includes `fund_status`
 */
export function showPayment(row: ShownPayment, shape: { one: boolean }): Record<string, unknown> & { id: string } {
  return {
    id: row.id,
    source: row.source,
    destination: row.destination,
    amount: row.amount,
    description: row.description,
    status: row.status,
    // JSON omits the field if it is undefined. Node.js 20 is slow to add fields after a conditional spread.
    fund_status: shape.one ? row.fund_status : undefined,
    estimated_completion_date: row.estimated_completion_date,
    source_trace_id: row.source_trace_id,
    source_settlement_date: row.source_settlement_date,
    source_status: row.source_status,
    destination_trace_id: row.destination_trace_id,
    destination_settlement_date: row.destination_settlement_date,
    destination_status: row.destination_status,
    destination_payment_method: row.destination_payment_method,
    destination_posted_date: row.destination_posted_date,
    reversal_id: row.reversal_id,
    reversal_account: row.reversal_account,
    payment_instrument: row.payment_instrument,
    fee: readJson('payments.fee', row.fee),
    type: row.type,
    error: readJson('payments.error', row.error),
    returned_as: showReturn(row),
    idempotency_key: row.idempotency_key,
    metadata: readJson('payments.metadata', row.metadata),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

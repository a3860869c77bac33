/**
 * Text that the compression of events assumes to precede each event, so that it needs no space in the event: the fields
 * of a payment, which most events are about, and the values that they usually have.
 *
 * Stored events can be read only with the text that they were written with. Never change it: a test compares its hash.
 * If an event has other fields, they only take more space. To use another text, store a mark in the `diff` column of
 * the events that use it.
 */
export const eventDictionary = Buffer.from(
  [
    '","changed":["status","fund_status","source_trace_id","source_status","destination_trace_id","destination_status",',
    '"destination_payment_method","destination_posted_date","estimated_completion_date","reversal_id","updated_at"]}',
    'failed","canceled","completed","settled","posted","sent","active","reversal_required","reversed","requested","hold",',
    '"before":{"status":"processing","fund_status":"requested","source_trace_id":null,"source_status":"processing",',
    '{"data":{"id":"pmt_","source":"acc_","destination":"acc_","amount":5000,"description":"PAYOFF","status":"pending",',
    '"fund_status":"pending","estimated_completion_date":"2026-","source_trace_id":null,"source_settlement_date":"2026-',
    '","source_status":"pending","destination_trace_id":null,"destination_settlement_date":"2026-',
    '","destination_status":"pending","destination_payment_method":"electronic","destination_posted_date":null,',
    '"reversal_id":null,"reversal_account":null,"payment_instrument":null,"fee":null,"type":"standard","error":null,',
    '"idempotency_key":null,"metadata":null,"created_at":"2026-","updated_at":"2026-"},"before":null,"changed":[]}',
  ].join(''),
)

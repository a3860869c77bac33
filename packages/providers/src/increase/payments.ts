import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import type { Outcome } from '@causeway/connector/provider/provider'
import { resourceCodes } from '@causeway/contract/errors'
import { MINUTE_MS } from '@causeway/contract/time'
import { readBalance } from './accounts.js'
import { changeTransfer, createTransfer, findTransfer, type Route, type Transfer } from './client.js'
import { isKnownReturn, refusalCode } from './codes.js'
import { findLinked, linkTransfer } from './links.js'
import type { Order } from './order.js'
import { createOrder } from './orders.js'
import type { Context } from './settings.js'
import { isKnownStatus, needsSeenAt, nextRepeat, noticeOf, readTime, stateOf, type TransferState } from './status.js'

/** The row of a payment: its request, which every attempt repeats, or the note that it was canceled before. */
type PaymentRow = (Order & { canceled?: never }) | { canceled: true }

const SUBMISSION_CHECK_MS = 30 * MINUTE_MS
const CANCELED = resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS

export const findPayment = async ({ store }: Context, id: string): Promise<PaymentRow | undefined> =>
  (await store.get('payment', id)) as PaymentRow | undefined

export async function accepts(context: Context, call: CallOf<'rail/accepts'>): Promise<AnswerOf<'rail/accepts'>> {
  const order = await createOrder(context, call)
  if ('why' in order) return { accepted: false, sub_type: 'PAYMENT_REFUSED_BY_RAIL' }
  const { available } = await readBalance(context, order.source.account_id)
  return available < call.amount ? { accepted: false, sub_type: 'INSUFFICIENT_FUNDS' } : { accepted: true }
}

/**
 * Submits a payment. The request is stored before it is sent, so that every attempt sends the same one: Increase creates
 * at most one transfer for each key.
 */
export async function submit(context: Context, call: CallOf<'rail/submit'>): Promise<AnswerOf<'rail/submit'>> {
  const id = call.payment_id
  let row = await findPayment(context, id)
  if (!row) {
    const created = await createOrder(context, { ...call, amount: call.amount - call.fee })
    if ('why' in created) {
      context.log('warn', 'payment_not_routable', { request_id: id, status: created.why })
      return { status: 'refused', code: created.code }
    }
    row = (await context.store.claim('payment', id, created.order)) as PaymentRow
  }
  // mutant: canceled-payment-is-not-sent (false)
  if (row.canceled) return { status: 'refused', code: CANCELED }
  const { value, refusal } = await createTransfer(context, row.route, row.body, id)
  if (value) {
    await linkTransfer(context, id, value, { kind: 'payment', id })
    return { status: 'accepted' }
  }
  const isShort = refusal.type === 'invalid_operation_error' && (await lacksFunds(context, row))
  const code = refusalCode(refusal, isShort)
  context.log('warn', 'payment_refused', {
    request_id: id,
    status: refusal.type,
    code: refusal.fields[0]?.slice(0, 100) ?? 'none',
  })
  return { status: 'refused', code }
}

/** Increase has one error for everything that an account does not allow, so the balance tells a lack of money apart. */
async function lacksFunds(context: Context, order: Order): Promise<boolean> {
  const { available } = await readBalance(context, order.account)
  return available < order.amount
}

export const findPaymentTransfer = (context: Context, id: string, route: Route): Promise<Transfer | null> =>
  findLinked(context, id, route, { kind: 'payment', id })

export async function findSubmission(
  context: Context,
  { payment_id }: CallOf<'rail/submit'>,
): Promise<Outcome<AnswerOf<'rail/submit'>>> {
  const row = await findPayment(context, payment_id)
  if (!row) return { known: false }
  if (row.canceled) return { known: true, answer: { status: 'refused', code: CANCELED } }
  const transfer = await findPaymentTransfer(context, payment_id, row.route)
  return transfer ? { known: true, answer: { status: 'accepted' } } : { known: false }
}

/** The statuses of a check that can still be stopped before anybody deposits it. */
const stoppable = new Set([
  'pending_submission',
  'pending_reviewing',
  'requires_attention',
  'pending_mailing',
  'mailed',
])
const isCanceled = ({ status }: Transfer) => status === 'canceled' || status === 'stopped'

export async function cancel(
  context: Context,
  { payment_id }: CallOf<'rail/cancel'>,
): Promise<AnswerOf<'rail/cancel'>> {
  const row = (await context.store.claim('payment', payment_id, { canceled: true })) as PaymentRow
  if (row.canceled) return { status: 'canceled' }
  const transfer = await findPaymentTransfer(context, payment_id, row.route)
  // The submission may be on its way, so nothing can be said yet.
  if (!transfer) throw new OutsideError('Increase does not know the payment yet.', { outcome: 'nothing' })
  if (isCanceled(transfer)) return { status: 'canceled' }
  const isStop = row.route === 'check_transfers' && stoppable.has(transfer.status)
  if (!isStop && transfer.status !== 'pending_approval') return { status: 'too_late' }
  const { value } = isStop
    ? await changeTransfer(context, `/${row.route}/${transfer.id}/stop_payment`, { reason: 'unknown' })
    : await changeTransfer(context, `/${row.route}/${transfer.id}/cancel`)
  const after = value ?? (await findTransfer(context, row.route, transfer.id, payment_id))
  return { status: after && isCanceled(after) ? 'canceled' : 'too_late' }
}

export async function findCancellation(
  context: Context,
  { payment_id }: CallOf<'rail/cancel'>,
): Promise<Outcome<AnswerOf<'rail/cancel'>>> {
  const row = await findPayment(context, payment_id)
  if (!row) return { known: false }
  if (row.canceled) return { known: true, answer: { status: 'canceled' } }
  const transfer = await findPaymentTransfer(context, payment_id, row.route)
  // A cancellation can be repeated: it only ever makes the transfer canceled.
  return transfer && isCanceled(transfer) ? { known: true, answer: { status: 'canceled' } } : { known: false }
}

/** Reads the state of a transfer at `now`, and reports a status that Increase added since. */
export async function readState(
  context: Context,
  route: Route,
  transfer: Transfer,
  now: number,
): Promise<TransferState> {
  const { id, status } = transfer
  if (!isKnownStatus(route, transfer))
    context.log('warn', 'provider_status_unknown', { external_id: id, status: status.slice(0, 100) })
  const realNow = context.now()
  const seenAt = needsSeenAt(route, transfer)
    ? Number(await context.store.claim('seen', `${id} ${status}`, realNow))
    : null
  return stateOf(route, transfer, { now, realNow, seenAt })
}

export async function status(context: Context, call: CallOf<'rail/status'>): Promise<AnswerOf<'rail/status'>> {
  const { payment_id, now } = call
  const row = await findPayment(context, payment_id)
  const transfer = row && !row.canceled ? await findPaymentTransfer(context, payment_id, row.route) : null
  if (!row || row.canceled || !transfer)
    return {
      status: 'pending',
      code: null,
      returned: null,
      source_trace_id: null,
      destination_trace_id: null,
      next_at: row?.canceled ? null : nextRepeat(call.created_at, SUBMISSION_CHECK_MS, Math.max(now, context.now())),
    }
  const { returned_as, ...state } = await readState(context, row.route, transfer, now)
  await reportReturn(context, payment_id, transfer, returned_as?.code)
  const submittedAt = readTime(transfer, 'submission', 'submitted_at')
  const { trace_number } = (transfer['submission'] ?? {}) as { trace_number?: unknown }
  const hasTrace = submittedAt !== null && submittedAt <= now && typeof trace_number === 'string'
  const notice = noticeOf(transfer, now)
  if (notice) await reportOnce(context, 'notification_of_change', { request_id: payment_id, code: notice.noc.code })
  return {
    ...state,
    returned: null,
    // The money is at Increase already, so there is no debit with a trace of its own.
    source_trace_id: null,
    destination_trace_id: hasTrace ? trace_number : null,
    returned_as,
    ...(notice ?? { noc: null, corrected: null }),
  }
}

async function reportReturn(context: Context, payment: string, transfer: Transfer, code: string | undefined) {
  if (code === undefined) return
  const { addenda_information } = (transfer['return'] ?? {}) as { addenda_information?: unknown }
  const isQuestionable = code === 'R17' && String(addenda_information).startsWith('QUESTIONABLE')
  if (isQuestionable) await reportOnce(context, 'ach_return_questionable', { request_id: payment, code })
  else if (/^R\d\d$/.test(code) && !isKnownReturn(code))
    await reportOnce(context, 'ach_return_unknown', { request_id: payment, code })
}

/** Logs a warning once for each payment and code, however often the state is read. */
async function reportOnce({ store, log }: Context, event: string, fields: { request_id: string; code: string }) {
  const id = `${event} ${fields.request_id} ${fields.code}`
  if ((await store.get('reported', id)) !== undefined) return
  log('warn', event, fields)
  await store.put('reported', id, true)
}

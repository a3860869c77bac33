/** Payments and reversals, by the upstream's own. */
import { paymentFailure, reversalFailure } from '@causeway/connector/methods/shapes'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { RailAccount } from '@causeway/connector/ports/rail'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import { resourceCodes } from '@causeway/contract/errors'
import { DAY_MS, MINUTE_MS } from '@causeway/contract/time'
import { bankAccount } from './banks.js'
import { accepted, codeOf, idOf, list, type Members, members, read, refused, request, textOf } from './client.js'
import type { Context } from './settings.js'

/** The days after which a payment can no longer be returned. */
const RETURN_DAYS = 60
/** The member of the upstream's metadata that names our payment. */
const MARK = 'causeway_payment'

interface PaymentRow {
  /** The upstream's id, once it is known. */
  id?: string
  /** True if the payment was canceled before it was submitted. */
  canceled?: boolean
  /** The status that was seen before the latest one. */
  before?: string
  latest?: string
}

const accountOf = async (context: Context, account: RailAccount): Promise<string> =>
  account.type === 'liability' && account.reference !== null ? account.reference : bankAccount(context, account)

type Submission = Pick<CallOf<'rail/submit'>, 'amount' | 'fee' | 'source' | 'destination'>

async function bodyOf(context: Context, { amount, fee, source, destination }: Submission, mark: string | null) {
  return {
    amount,
    source: source ? await accountOf(context, source) : null,
    destination: await accountOf(context, destination),
    description: 'Payment',
    ...(fee > 0 && { fee: { type: 'total', amount: fee } }),
    ...(mark !== null && { metadata: { [MARK]: mark } }),
  }
}

const refusals = ['INSUFFICIENT_FUNDS', 'MAX_AMOUNT_EXCEEDED', 'MAX_REQUEST_LIMIT'] as const

export async function accepts(context: Context, call: CallOf<'rail/accepts'>): Promise<AnswerOf<'rail/accepts'>> {
  const body = { ...(await bodyOf(context, { ...call, fee: 0 }, null)), dry_run: true }
  const reply = await request(context, 'POST', '/payments', { body })
  if (reply.ok) return { accepted: true }
  const subType = refusals.find(each => each === reply.refusal.subType) ?? 'PAYMENT_REFUSED_BY_RAIL'
  return { accepted: false, sub_type: subType }
}

const claimPayment = async (context: Context, payment: string, row: PaymentRow): Promise<PaymentRow> =>
  (await context.store.claim('payment', payment, row, { days: null })) as PaymentRow

const savePayment = (context: Context, payment: string, row: PaymentRow) =>
  context.store.put('payment', payment, row, { days: null })

/** The codes of refusals that are about the payment's content. */
const refusalCodes: Readonly<Record<string, number>> = {
  INSUFFICIENT_FUNDS: resourceCodes.PAYMENT_INSUFFICIENT_FUNDS,
  INVALID_SOURCE: resourceCodes.PAYMENT_INVALID_SOURCE_ACCOUNT,
  INVALID_SOURCE_CAPABILITIES: resourceCodes.PAYMENT_UNAUTHORIZED_SOURCE,
  INVALID_DESTINATION: resourceCodes.PAYMENT_INVALID_DESTINATION_ACCOUNT,
  INVALID_DESTINATION_CAPABILITIES: resourceCodes.PAYMENT_UNAUTHORIZED_DESTINATION,
  INVALID_DESTINATION_BALANCE: resourceCodes.PAYMENT_REJECTED_INVALID_AMOUNT,
  MAX_AMOUNT_EXCEEDED: resourceCodes.PAYMENT_REJECTED_INVALID_AMOUNT,
}

export async function submit(context: Context, call: CallOf<'rail/submit'>): Promise<AnswerOf<'rail/submit'>> {
  const { payment_id } = call
  const row = await claimPayment(context, payment_id, {})
  if (row.canceled) return { status: 'refused', code: resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS }
  if (row.id) return { status: 'accepted' }
  const reply = await request(context, 'POST', '/payments', {
    body: await bodyOf(context, call, payment_id),
    key: payment_id,
  })
  if (reply.ok) {
    await keepPayment(context, payment_id, row, idOf(reply.value))
    return { status: 'accepted' }
  }
  const { status, subType } = reply.refusal
  // Payments are stopped there for now.
  if (status !== 400 || subType === 'PAYMENTS_STOPPED' || subType === 'MAX_REQUEST_LIMIT') throw refused(reply.refusal)
  const code = refusalCodes[subType] ?? resourceCodes.PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION
  return { status: 'refused', code: code as never }
}

async function keepPayment(context: Context, payment: string, row: PaymentRow, id: string): Promise<void> {
  await context.link(id, { kind: 'payment', id: payment })
  await savePayment(context, payment, { ...row, id })
}

/** Finds the upstream's payment by the mark in its metadata. */
async function findPayment(context: Context, call: CallOf<'rail/submit'>): Promise<string | null> {
  const { payment_id, created_at } = call
  const row = ((await context.store.get('payment', payment_id)) ?? {}) as PaymentRow
  if (row.id) return row.id
  const destination = await accountOf(context, call.destination)
  for await (const payment of list(context, '/payments', { destination })) {
    if (members(payment['metadata'])[MARK] === payment_id) {
      const id = idOf(payment)
      await keepPayment(context, payment_id, row, id)
      return id
    }
    // The list begins with the latest payment.
    if (Date.parse(String(payment['created_at'])) < Math.min(created_at, context.now()) - DAY_MS) break
  }
  return null
}

export async function findSubmission(context: Context, call: CallOf<'rail/submit'>) {
  const id = await findPayment(context, call)
  return id === null ? ({ known: false } as const) : ({ known: true, answer: { status: 'accepted' } } as const)
}

export async function cancel(context: Context, call: CallOf<'rail/cancel'>): Promise<AnswerOf<'rail/cancel'>> {
  const row = await claimPayment(context, call.payment_id, { canceled: true })
  if (row.canceled) return { status: 'canceled' }
  const id = await findPayment(context, call)
  if (id === null)
    // The submission may be on its way, so nothing can be said yet.
    throw new OutsideError('The upstream does not know the payment yet.', { outcome: 'nothing' })
  const reply = await request(context, 'DELETE', `/payments/${id}`)
  if (reply.ok) return { status: 'canceled' }
  const { status } = await read(context, `/payments/${id}`)
  return { status: status === 'canceled' ? 'canceled' : 'too_late' }
}

export async function findCancellation(context: Context, call: CallOf<'rail/cancel'>) {
  const row = ((await context.store.get('payment', call.payment_id)) ?? {}) as PaymentRow
  if (row.canceled) return { known: true, answer: { status: 'canceled' } } as const
  const id = await findPayment(context, call)
  const status = id === null ? null : (await read(context, `/payments/${id}`))['status']
  return status === 'canceled'
    ? ({ known: true, answer: { status: 'canceled' } } as const)
    : ({ known: false } as const)
}

const moving = ['pending', 'processing', 'sent'] as const
const arrived = ['posted', 'cashed', 'settled']
const returning = ['reversal_required', 'reversal_processing', 'reversed']

/** Returns what the upstream's status means here. An unknown status changes nothing. */
function statusOf(
  status: string,
): (typeof moving)[number] | 'posted' | 'failed' | 'reversal_required' | 'partial_reversal_processing' {
  if (arrived.includes(status)) return 'posted'
  if (returning.includes(status)) return 'reversal_required'
  if (status === 'partial_reversal_processing' || status === 'partially_reversed') return 'partial_reversal_processing'
  if (status === 'failed' || status === 'canceled') return 'failed'
  return moving.find(each => each === status) ?? 'pending'
}

function readReturn({ returned_as }: Members) {
  const { code, at, trace } = members(returned_as)
  return typeof code === 'string' ? { code, at: Date.parse(String(at)), trace: textOf(trace) } : null
}

/** Returns the code of a failure. A payment that the upstream cancels for lack of funds has a code of its own there. */
const failureOf = ({ error }: Members) =>
  members(error)['code'] === resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS
    ? resourceCodes.PAYMENT_INSUFFICIENT_FUNDS
    : codeOf(error, resourceCodes.PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION, paymentFailure)

async function returnedAmount(context: Context, id: string): Promise<number> {
  for await (const reversal of list(context, `/payments/${id}/reversals`)) {
    const { amount } = reversal
    if (typeof amount === 'number') return amount
  }
  return 0
}

export async function status(context: Context, call: CallOf<'rail/status'>): Promise<AnswerOf<'rail/status'>> {
  const id = await findPayment(context, call)
  const traces = { source_trace_id: null, destination_trace_id: null }
  if (id === null)
    return { ...traces, status: 'pending', code: null, returned: null, next_at: call.now + 30 * MINUTE_MS }
  const payment = await read(context, `/payments/${id}`)
  const row = ((await context.store.get('payment', call.payment_id)) ?? {}) as PaymentRow
  const latest = String(payment['status'])
  if (row.latest !== latest)
    await savePayment(context, call.payment_id, { ...row, id, latest, before: row.latest ?? 'pending' })
  const changedAt = Date.parse(String(payment['updated_at']))
  const isLater = call.now < changedAt
  const shown = statusOf(
    isLater ? (row.latest === latest ? (row.before ?? 'pending') : (row.latest ?? 'pending')) : latest,
  )
  const isOpen = shown === 'posted' ? call.now < call.created_at + (RETURN_DAYS + 30) * DAY_MS : true
  const fields = {
    source_trace_id: textOf(payment['source_trace_id']),
    destination_trace_id: textOf(payment['destination_trace_id']),
    next_at: isOpen ? (isLater ? changedAt : call.now + (shown === 'posted' ? DAY_MS : 30 * MINUTE_MS)) : null,
    transfers: [id],
  }
  if (shown === 'failed' || shown === 'reversal_required' || shown === 'partial_reversal_processing') {
    const code = failureOf(payment)
    const returned_as = readReturn(payment)
    const ended = { ...fields, code, ...(returned_as && { returned_as }) }
    return shown === 'partial_reversal_processing'
      ? { ...ended, status: shown, returned: await returnedAmount(context, id) }
      : { ...ended, status: shown, returned: null }
  }
  return { ...fields, status: shown, code: null, returned: null }
}

/** Finds the reversal that the upstream made of the payment. */
async function findUpstreamReversal(
  context: Context,
  payment: string,
): Promise<{ path: string; value: Members } | null> {
  const row = ((await context.store.get('payment', payment)) ?? {}) as PaymentRow
  if (!row.id) return null
  for await (const value of list(context, `/payments/${row.id}/reversals`))
    return { path: `/payments/${row.id}/reversals/${idOf(value)}`, value }
  return null
}

/** Approves the upstream's reversal. */
export async function reverse(context: Context, { payment_id }: CallOf<'rail/reverse'>): Promise<undefined> {
  const found = await findUpstreamReversal(context, payment_id)
  if (found?.value['status'] !== 'pending_approval') return
  accepted(await request(context, 'PUT', found.path, { body: { status: 'pending' } }))
}

export async function findApproval(context: Context, { payment_id }: CallOf<'rail/reverse'>) {
  const found = await findUpstreamReversal(context, payment_id)
  const isApproved = found !== null && found.value['status'] !== 'pending_approval'
  return isApproved ? ({ known: true, answer: undefined } as const) : ({ known: false } as const)
}

export async function reversal(
  context: Context,
  { payment_id, now }: CallOf<'rail/reversal'>,
): Promise<AnswerOf<'rail/reversal'>> {
  const found = await findUpstreamReversal(context, payment_id)
  const { status = 'pending', error, trace_id } = found?.value ?? {}
  const fields = { trace_id: textOf(trace_id), next_at: now + 30 * MINUTE_MS }
  if (status === 'failed')
    return {
      ...fields,
      status,
      code: codeOf(error, resourceCodes.PAYMENT_REVERSAL_INVALID_ACCOUNT, reversalFailure),
      next_at: null,
    }
  if (status === 'sent') return { ...fields, status, code: null, next_at: null }
  return { ...fields, status: status === 'processing' ? status : 'pending', code: null }
}

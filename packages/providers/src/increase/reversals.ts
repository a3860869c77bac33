import type { RailAccount } from '@causeway/connector/ports/rail'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import type { Outcome } from '@causeway/connector/provider/provider'
import { MINUTE_MS } from '@causeway/contract/time'
import type Increase from 'increase'
import { findSource, readAccountName } from './accounts.js'
import { createTransfer } from './client.js'
import { findLinked, linkTransfer } from './links.js'
import type { Order } from './order.js'
import { orderFrom, toAscii } from './orders.js'
import { findPayment, findPaymentTransfer, readState } from './payments.js'
import type { Context } from './settings.js'
import { nextRepeat, readTime } from './status.js'

/**
 * The plan for a reversal. `returned`: the payer's account has the money again, because the payment was returned.
 * `order`: a transfer moves the money on to another account. `refused`: the reversal can't be made here.
 */
type ReversalRow =
  | { kind: 'returned' }
  | { kind: 'order'; order: Order }
  | { kind: 'refused'; code: 14001 | 14002 | 14003 }

const CHECK_MS = 30 * MINUTE_MS

const findRow = async ({ store }: Context, id: string) => (await store.get('reversal', id)) as ReversalRow | undefined

const findReversalTransfer = (context: Context, id: string, { route }: Order) =>
  findLinked(context, id, route, { kind: 'reversal', id })

async function planReversal(context: Context, call: CallOf<'rail/reverse'>): Promise<ReversalRow> {
  // A debit takes money from a bank account, for which its holder must have signed.
  // mutant: reversal-debits-no-bank (false)
  if (call.direction === 'debit') return { kind: 'refused', code: 14002 }
  const payment = await findPayment(context, call.payment_id)
  if (!payment || payment.canceled || !call.target) return { kind: 'refused', code: 14003 }
  const from = payment.account
  const target = await findSource(context, call.target)
  if (target?.account_id === from) return { kind: 'returned' }
  if (target) return { kind: 'order', order: internalOrder(from, target.account_id, call) }
  return outsideOrder(context, from, call.target, call.amount)
}

const internalOrder = (from: string, to: string, { amount, payment_id }: CallOf<'rail/reverse'>): Order => ({
  route: 'account_transfers',
  account: from,
  amount,
  body: {
    account_id: from,
    destination_account_id: to,
    amount,
    description: `Return of ${payment_id}`,
  } satisfies Increase.AccountTransferCreateParams,
})

/** Sends returned money to a bank account outside Increase, by ACH. */
async function outsideOrder(context: Context, from: string, target: RailAccount, amount: number): Promise<ReversalRow> {
  const name = toAscii(await readAccountName(context, from), 200)
  const order = orderFrom({ amount, from: { account_id: from, account_number_id: '' }, name }, target)
  return 'why' in order ? { kind: 'refused', code: 14003 } : { kind: 'order', order }
}

/** Moves returned money back to the payer, or notes that it is there already. */
export async function reverse(context: Context, call: CallOf<'rail/reverse'>): Promise<void> {
  const id = call.reversal_id
  let row = await findRow(context, id)
  row ??= (await context.store.claim('reversal', id, await planReversal(context, call))) as ReversalRow
  if (row.kind !== 'order') return
  const { value, refusal } = await createTransfer(context, row.order.route, row.order.body, id)
  if (value) {
    await linkTransfer(context, id, value, { kind: 'reversal', id })
    return
  }
  context.log('warn', 'reversal_refused', { request_id: id, status: refusal.type })
  await context.store.put('reversal', id, { kind: 'refused', code: 14003 } satisfies ReversalRow)
}

export async function findReversal(
  context: Context,
  { reversal_id }: CallOf<'rail/reverse'>,
): Promise<Outcome<undefined>> {
  const row = await findRow(context, reversal_id)
  const isKnown =
    row && (row.kind !== 'order' || (await findReversalTransfer(context, reversal_id, row.order)) !== null)
  return isKnown ? { known: true, answer: undefined } : { known: false }
}

export async function reversal(context: Context, call: CallOf<'rail/reversal'>): Promise<AnswerOf<'rail/reversal'>> {
  const row = await findRow(context, call.reversal_id)
  const next_at = nextRepeat(call.approved_at, CHECK_MS, Math.max(call.now, context.now()))
  const pending = { status: 'pending', code: null, trace_id: null, next_at } as const
  if (!row) return pending
  if (row.kind === 'refused') return { status: 'failed', code: row.code, trace_id: null, next_at: null }
  if (row.kind === 'returned') return returnedReversal(context, call)
  const transfer = await findReversalTransfer(context, call.reversal_id, row.order)
  if (!transfer) return pending
  const state = await readState(context, row.order.route, transfer, call.now)
  const { trace_number } = (transfer['submission'] ?? {}) as { trace_number?: unknown }
  const trace_id = typeof trace_number === 'string' ? trace_number : null
  switch (state.status) {
    case 'failed':
    case 'reversal_required':
      return { status: 'failed', code: 14003, trace_id, next_at: null }
    case 'sent':
    case 'posted':
      return { status: 'sent', code: null, trace_id, next_at: null }
    default:
      return { status: state.status, code: null, trace_id, next_at: state.next_at }
  }
}

/** The return is the reversal, so the reversal is sent once the return is on the transfer. */
async function returnedReversal(context: Context, call: CallOf<'rail/reversal'>): Promise<AnswerOf<'rail/reversal'>> {
  const next_at = nextRepeat(call.approved_at, CHECK_MS, Math.max(call.now, context.now()))
  const payment = await findPayment(context, call.payment_id)
  const transfer =
    payment && !payment.canceled ? await findPaymentTransfer(context, call.payment_id, payment.route) : null
  const isBack =
    transfer !== null && (transfer['return'] || ['returned', 'stopped', 'canceled'].includes(transfer.status))
  const { trace_number } = (transfer?.['return'] ?? {}) as { trace_number?: unknown }
  const trace_id = typeof trace_number === 'string' ? trace_number : null
  const returnedAt = transfer && readTime(transfer, 'return', 'created_at')
  if (!isBack || (typeof returnedAt === 'number' && returnedAt > call.now))
    return { status: 'processing', code: null, trace_id: null, next_at }
  return { status: 'sent', code: null, trace_id, next_at: null }
}

import type { PortCall } from '@causeway/connector/ports/call'
import type { Rail, RailAccount, RailPayment, RailReversal, RailStatus } from '@causeway/connector/ports/rail'
import type { ResourceErrorCode } from '@causeway/contract/errors'
import { digest } from './digest.js'
import { findDebt, payableOf } from './liabilities.js'
import { managedAccounts } from './managed-accounts.js'
import { type AchNumber, achNumbers, timetable } from './tables/inputs.js'
import { daysAfter, inChicago, windowOn } from './timetable.js'

interface StatusChange {
  at: number
  status: RailStatus
  code: ResourceErrorCode | null
}

interface ReversalChange {
  at: number
  status: 'processing' | 'sent' | 'failed'
  code: ResourceErrorCode | null
}

/**
 * The sandbox's rail. The rail stores nothing: a payment's status follows from the payment's details and the current
 * time.
 */
export const rail: Rail = {
  async accepts({ amount, source, destination }) {
    const refusal = refusalOf(amount, source, destination)
    return refusal ? { accepted: false, sub_type: refusal.sub_type } : { accepted: true }
  },

  async submit({ amount, source, destination }) {
    if (source === null) return { status: 'accepted' }
    const code = refusalOf(amount, source, destination)?.code ?? achOf(source)?.submit
    return code ? { status: 'refused', code } : { status: 'accepted' }
  },

  /**
   * Returns `too_late` once the payment's processing window has started. Always cancels if the call doesn't include the
   * payment's dates.
   */
  async cancel(call: PortCall & { payment_id: string } & Partial<RailPayment>) {
    const { source_date, created_at } = call
    const isTooLate =
      source_date !== undefined && created_at !== undefined && windowOn(source_date, created_at) <= call.now
    return { status: isTooLate ? 'too_late' : 'canceled' }
  },

  async status(payment) {
    const changes = statusChanges(payment)
    const pastChanges = changes.filter(turn => turn.at <= payment.now)
    const { status, code } = pastChanges.at(-1) ?? { status: 'pending' as const, code: null }
    const reached = (status: RailStatus) => pastChanges.some(turn => turn.status === status)
    return {
      status,
      code,
      source_trace_id: reached('processing') ? traceId(payment.payment_id, 'source') : null,
      destination_trace_id: reached('sent') ? traceId(payment.payment_id, 'destination') : null,
      returned: status === 'partial_reversal_processing' ? (achOf(payment.source)?.comesBack?.part ?? null) : null,
      next_at: changes[pastChanges.length]?.at ?? null,
    }
  },

  ...managedAccounts,

  async reverse() {},

  async reversal(reversal) {
    const changes = reversalChanges(reversal)
    const pastChanges = changes.filter(turn => turn.at <= reversal.now)
    const { status, code } = pastChanges.at(-1) ?? { status: 'pending' as const, code: null }
    const trace_id = pastChanges.length > 0 ? traceId(reversal.reversal_id, 'reversal') : null
    return { status, code, trace_id, next_at: changes[pastChanges.length]?.at ?? null }
  },
}

/**
 * Returns a reversal's status changes. Like a debit, a reversal starts processing in a window on its scheduled day and
 * finishes that evening.
 */
function reversalChanges({ target, date, approved_at }: RailReversal): ReversalChange[] {
  const code = achOf(target)?.reversal ?? null
  const processing = windowOn(date, approved_at)
  return [
    { at: processing, status: 'processing', code: null },
    { at: Math.max(processing + 1, inChicago(date, timetable.sent)), status: code ? 'failed' : 'sent', code },
  ]
}

/** Returns a payment's status changes, in order. Before the first change, the payment is pending. */
function statusChanges(payment: RailPayment): StatusChange[] {
  const { source_date, destination_date } = payment
  const pull = achOf(payment.source)?.pull
  // An incoming payment is already processing when it is reported.
  const processing = payment.source === null ? payment.created_at : windowOn(source_date, payment.created_at)
  const sent = inChicago(source_date, timetable.sent)
  const changes: StatusChange[] = [{ at: processing, status: 'processing', code: null }]
  if (pull?.status === 'failed') return [...changes, { at: sent, ...pull }]
  changes.push({ at: sent, status: 'sent', code: null })
  if (pull) return [...changes, { at: inChicago(daysAfter(source_date, 1), timetable.disputed), ...pull }]
  changes.push({ at: Math.max(sent, inChicago(destination_date, timetable.posted)), status: 'posted', code: null })
  const returned = returnOf(payment)
  if (returned) {
    // If `part` equals or exceeds the amount that arrived, the return counts as full.
    const isFull = returned.part === undefined || returned.part >= payment.amount - payment.fee
    const status = isFull ? 'reversal_required' : 'partial_reversal_processing'
    changes.push({
      at: inChicago(daysAfter(destination_date, returned.days), timetable.returned),
      status,
      code: returned.code,
    })
  }
  return changes
}

function returnOf({ source, destination }: RailPayment): AchNumber['comesBack'] {
  const returns = debtOf(destination)?.rail === 'returns'
  return returns ? { days: timetable.returnedAfterDays, code: 10009 } : achOf(source)?.comesBack
}

function refusalOf(amount: number, source: RailAccount, destination: RailAccount): AchNumber['refuses'] {
  const fromSource = achOf(source)?.refuses
  if (fromSource && amount > fromSource.above) return fromSource
  const debt = debtOf(destination)
  const isRefused = debt
    ? debt.rail === 'refuses' || payableOf(debt) === 'no'
    : achOf(destination)?.refuses?.above === 0
  return isRefused ? { above: 0, sub_type: 'PAYMENT_REFUSED_BY_RAIL', code: 10008 } : undefined
}

function achOf(account: RailAccount | null): AchNumber | undefined {
  return account?.type === 'ach' ? achNumbers.find(row => row.number === account.number) : undefined
}

function debtOf(account: RailAccount) {
  return account.reference === null ? undefined : findDebt(account.reference)
}

/** Returns a fifteen-digit trace id that is always the same for a given `payment_id` and `end`. */
function traceId(payment_id: string, end: string): string {
  return (BigInt(`0x${digest('trace', payment_id, end).slice(0, 16)}`) % 10n ** 15n).toString().padStart(15, '0')
}

/** The sentences for a request that needs a second person. */
import type { TemplateResult } from 'lit'
import type { Console } from '../page.js'
import type { Approval } from '../shapes.js'
import { words } from '../words.js'
import { endedUnpaid, paymentPill, statusPill } from './marks.js'

const { approvals: text } = words

const moneyOf = ({ format }: Console, { amount }: Approval): string => (amount === null ? '' : format.money(amount))

/** Returns what a request does, such as `Release $4,800.00`. */
export function titleOf(console: Console, approval: Approval): string {
  const { action, changes } = approval
  const sourceChanges = changes.filter(({ name }) => name === 'default_source_account')
  if (sourceChanges.length === 0) return text.actions[action](moneyOf(console, approval))
  return sourceChanges.length === changes.length ? text.sourceChange : text.limitsAndSource
}

export const happensOf = (console: Console, approval: Approval): string =>
  approval.action === 'payments.start'
    ? text.happens['payments.start'](approval.resource_id)
    : text.happens[approval.action](moneyOf(console, approval))

/** True if an approved request's payment failed, was canceled or was returned. */
export const isLost = ({ action, payment_status: status }: Approval): boolean =>
  action === 'payment.create' && status !== null && endedUnpaid.has(status)

/** Renders the status of a request, or of its payment if that ended without paying. */
export const approvalPill = (approval: Approval): TemplateResult =>
  isLost(approval) ? paymentPill(approval.payment_status ?? '') : statusPill(approval.status)

/**
 * Formats a value that a request changes.
 * @param names the names of accounts, keyed by id
 */
export function changedValue(
  { format }: Console,
  names: Record<string, string>,
  { name, value }: { name: string; value: string | null },
): string {
  if (value === null) return text.changes.none
  if (name === 'payments_per_month') return format.count(Number(value))
  return name === 'default_source_account' ? (names[value] ?? value) : format.money(Number(value))
}

/** Compares a provider's statement with the payments that caused it. Pure. */
import type { StatementLine } from '@causeway/connector/provider/provider'
import type { ExceptionKind } from '@causeway/contract/endpoints/console-reconciliation'
import type { PaymentStatus, ReversalStatus } from '@causeway/contract/resources/payment'
import { DAY_MS, HOUR_MS } from '@causeway/contract/time'

/** The time within which a transfer that the service sent is linked to its resource. */
export const LINK_GRACE_MS = HOUR_MS
/** The time within which the service reads that a payment is returned, even if the webhook was lost. */
const RETURN_GRACE_MS = 30 * HOUR_MS
/** The time after which a payment that left, or came back, must be on the statement. */
export const LINE_GRACE_MS = 3 * DAY_MS

/** A payment or reversal, as the statement should show it. */
export interface ExpectedTransfer {
  kind: 'payment' | 'reversal'
  id: string
  /** The amount that arrives at the destination, in cents. */
  amount: number
  status: PaymentStatus | ReversalStatus
  /** True if a person moved the payment by a simulation. Then its status says nothing about the rail. */
  isSimulated: boolean
}

/** An object at the provider that belongs to a resource. */
export interface LinkedTransfer {
  /** Null for an object that is no payment, such as a micro-deposit. */
  resource: ExpectedTransfer | null
  /** The lines with which the resource's money left and came back, as far as they were seen. */
  seen: { line_id: string | null; return_line_id: string | null }
}

/** A difference between the statement and the store. Contains only ids and amounts. */
export interface StatementException {
  kind: ExceptionKind
  /** The line or the resource, so that the next comparison recognizes the difference. */
  subject: string
  resource_id: string | null
  line_id: string | null
  /** In cents. For a line, as on the statement. */
  amount: number
  expected_amount: number | null
  /** In epoch milliseconds. */
  at: number
}

interface Verdict {
  /** `other`: the line is no payment's. */
  result: 'matched' | 'other' | 'recent' | StatementException
  /** Which line of the transfer it is, to recognize a second one. */
  remember?: 'line_id' | 'return_line_id'
}

/** The statuses of payments whose money left and did not come back. */
const arrived: ReadonlySet<string> = new Set<PaymentStatus>(['sent', 'posted', 'cashed', 'settled'])
/** The statuses by which the money must have left. A check that was mailed leaves when it is deposited. */
const mustHaveLeft = { payment: new Set<string>(['posted', 'cashed', 'settled']), reversal: new Set<string>(['sent']) }
/** The statuses of payments whose money did not leave, or came back. */
export const endedWithoutArriving = ['failed', 'canceled', 'reversal_required', 'reversed'] as const

/** Returns true if the statement must show that the money left. */
export const isDue = ({ kind, status, isSimulated }: ExpectedTransfer): boolean =>
  !isSimulated && mustHaveLeft[kind].has(status)

/**
 * Compares a line with the transfer that caused it.
 * @param transfer undefined if the line names a transfer that the service does not know
 */
export function compareLine(
  { id, amount, at, transfer: transferId }: StatementLine,
  transfer: LinkedTransfer | undefined,
  now: number,
): Verdict {
  if (transferId === null) return { result: 'other' }
  const exceptionOf = (kind: ExceptionKind, resource: ExpectedTransfer | null): StatementException => ({
    ...{ kind, subject: id, resource_id: resource?.id ?? null, line_id: id, amount, at },
    expected_amount: kind === 'different_amount' ? (resource?.amount ?? null) : null,
  })
  // mutant: unknown-transfer-is-reported (false)
  if (transfer === undefined)
    return at > now - LINK_GRACE_MS ? { result: 'recent' } : { result: exceptionOf('missing_here', null) }
  const { resource, seen } = transfer
  if (resource === null) return { result: 'other' }
  const remember = amount < 0 ? 'line_id' : 'return_line_id'
  // Moving money between two accounts has a line for each of them.
  const isOwnCredit = amount > 0 && resource.kind === 'reversal'
  const earlier = seen[remember]
  // mutant: second-line-is-reported (false)
  if (earlier !== null && earlier !== id && !isOwnCredit) return { result: exceptionOf('repeated', resource) }
  if (Math.abs(amount) !== resource.amount) return { result: exceptionOf('different_amount', resource), remember }
  // mutant: unnoticed-return-is-reported (false)
  if (amount > 0 && resource.kind === 'payment' && !resource.isSimulated && arrived.has(resource.status))
    return at > now - RETURN_GRACE_MS
      ? { result: 'recent', remember }
      : { result: exceptionOf('returned_there', resource), remember }
  return { result: 'matched', remember }
}

import { type ResourceErrorCode, resourceCodes } from '@causeway/contract/errors'
import type { EndStatus, fundStatuses, PaymentStatus, ReversalStatus } from '@causeway/contract/resources/payment'
import { DAY_MS } from '@causeway/contract/time'

/** The current location of a payment's money. See money/ledger/ledger.ts for the amount in each location, in cents. */
type MoneyLocation =
  | 'untouched'
  | 'pulled'
  | 'sent'
  | 'arrived'
  | 'coming back'
  | 'back'
  | 'coming back in part'
  | 'back in part'

interface StatusRule {
  /** The only statuses that can follow this one. */
  readonly next: readonly PaymentStatus[]
  readonly money: MoneyLocation
  /** The effect on `fund_status` and on the status of each end. Omitted fields do not change. */
  readonly fund?: (typeof fundStatuses)[number]
  readonly source?: EndStatus
  readonly destination?: EndStatus
  /**
   * Present if the status requires an error. The end that caused the error fails, and the other end is set to this
   * status.
   */
  readonly error?: { readonly other?: EndStatus }
  /** The status of the reversal. If the payment has no reversal, one is created. */
  readonly reversal?: ReversalStatus
}

/**
 * Every payment status, and every move that a payment can make. A posted payment can still be returned. Only a paper
 * check can be cashed, and returns have a deadline: see {@link canTransition}. Source: contract, payment lifecycle.
 */
export const statusRules: Readonly<Record<PaymentStatus, StatusRule>> = {
  pending: { next: ['processing', 'canceled'], money: 'untouched' },
  canceled: { next: [], money: 'untouched', source: 'canceled', destination: 'canceled' },
  processing: { next: ['sent', 'failed'], money: 'pulled', fund: 'requested', source: 'processing' },
  failed: { next: [], money: 'untouched', fund: 'failed', error: { other: 'canceled' } },
  sent: {
    next: ['posted', 'cashed', 'settled', 'reversal_required', 'reversal_processing', 'partial_reversal_processing'],
    money: 'sent',
    fund: 'sent',
    source: 'sent',
    destination: 'sent',
  },
  posted: {
    next: ['settled', 'reversal_required', 'reversal_processing', 'partial_reversal_processing'],
    money: 'arrived',
    fund: 'posted',
    source: 'posted',
    destination: 'posted',
  },
  cashed: { next: [], money: 'arrived', fund: 'cashed', source: 'posted', destination: 'cashed' },
  settled: { next: [], money: 'arrived', source: 'settled', destination: 'settled', reversal: 'sent' },
  reversal_required: {
    next: ['reversal_processing'],
    money: 'coming back',
    fund: 'failed',
    error: {},
    reversal: 'pending_approval',
  },
  reversal_processing: {
    next: ['reversed', 'settled'],
    money: 'coming back',
    fund: 'failed',
    error: {},
    reversal: 'pending',
  },
  reversed: { next: [], money: 'back', source: 'reversed', destination: 'reversed', reversal: 'sent' },
  partial_reversal_processing: {
    next: ['partially_reversed'],
    money: 'coming back in part',
    error: {},
    reversal: 'pending',
  },
  partially_reversed: { next: [], money: 'back in part', reversal: 'sent' },
}

export const statuses = Object.keys(statusRules) as PaymentStatus[]

/** Returns the statuses from which a payment can move to `to`. */
export function statusesBefore(to: PaymentStatus): PaymentStatus[] {
  return statuses.filter(from => statusRules[from].next.includes(to))
}

/**
 * Returns the shortest sequence of moves between two statuses. Empty if the statuses are equal; null if there is no
 * path.
 */
export function pathBetween(from: PaymentStatus, to: PaymentStatus): PaymentStatus[] | null {
  const paths = new Map<PaymentStatus, PaymentStatus[]>([[from, []]])
  for (const [status, path] of paths) {
    if (status === to) return path
    for (const next of statusRules[status].next) if (!paths.has(next)) paths.set(next, [...path, next])
  }
  return null
}

/**
 * The number of days for which a payment can be returned after it is posted. An account's holder has the same number
 * of days to dispute a debit.
 */
export const RETURN_DAYS = 60

/**
 * Returns true if a payment can make this move today, according to its row.
 * @param today `YYYY-MM-DD`
 */
export function canTransition(
  row: { status: string; destination_payment_method: string | null; destination_posted_date: string | null },
  to: PaymentStatus,
  today: string,
): boolean {
  const from = row.status as PaymentStatus
  if (!statusRules[from].next.includes(to)) return false
  if (to === 'cashed') return row.destination_payment_method === 'paper'
  if (from !== 'posted' || to === 'settled' || row.destination_posted_date === null) return true
  return Date.parse(today) - Date.parse(row.destination_posted_date) <= RETURN_DAYS * DAY_MS
}

/** Returns true if a payment or its return is in progress. A posted payment has arrived, so it is not in progress. */
export const isInProgress = (status: PaymentStatus): boolean =>
  status !== 'posted' && statusRules[status].next.length > 0

/** Returns true if the rail can still report changes to a payment in this status. */
export const isTracked = (status: PaymentStatus): boolean =>
  status === 'pending' || status === 'processing' || status === 'sent' || status === 'posted'

/** Error codes from the destination's institution. All other codes are about the source. */
const destinationCodes = new Set<ResourceErrorCode>([
  resourceCodes.PAYMENT_UNAUTHORIZED_DESTINATION,
  resourceCodes.PAYMENT_INVALID_DESTINATION_ACCOUNT,
  resourceCodes.PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION,
  resourceCodes.PAYMENT_REJECTED_INVALID_AMOUNT,
])

export type Side = 'source' | 'destination'
export const sideOf = (code: ResourceErrorCode): Side => (destinationCodes.has(code) ? 'destination' : 'source')

/** Returns the statuses of the money and of both ends after a payment moves to `to`. Omitted fields do not change. */
export function legStatuses(
  to: PaymentStatus,
  code: ResourceErrorCode | null,
): { fund_status?: string; source_status?: string; destination_status?: string } {
  const { fund, source, destination, error } = statusRules[to]
  const failed = error && code !== null ? sideOf(code) : null
  const other = failed === 'source' ? 'destination' : 'source'
  return {
    ...(fund ? { fund_status: fund } : {}),
    ...(source ? { source_status: source } : {}),
    ...(destination ? { destination_status: destination } : {}),
    ...(failed ? { [`${failed}_status`]: 'failed' } : {}),
    ...(failed && error?.other ? { [`${other}_status`]: error.other } : {}),
  }
}

/** An account is disabled after this many failures due to insufficient funds. */
const MAX_INSUFFICIENT_FUNDS = 3

/**
 * Returns the effect of a failure: the payment's account is disabled and, if the payment was not authorized, the holder
 * is disabled too. Null if the failure has no effect.
 */
export function failureConsequence(
  code: ResourceErrorCode,
): { side: Side; account: ResourceErrorCode; holder: ResourceErrorCode | null; after?: number } | null {
  const side = sideOf(code)
  switch (code) {
    case resourceCodes.PAYMENT_INSUFFICIENT_FUNDS:
      return {
        side,
        account: resourceCodes.ACCOUNT_DISABLED_INVALID_STATE,
        holder: null,
        after: MAX_INSUFFICIENT_FUNDS,
      }
    case resourceCodes.PAYMENT_UNAUTHORIZED:
    case resourceCodes.PAYMENT_UNAUTHORIZED_SOURCE:
    case resourceCodes.PAYMENT_UNAUTHORIZED_DESTINATION:
      return {
        side,
        account: resourceCodes.ACCOUNT_UNAUTHORIZED_PAYMENT,
        holder: resourceCodes.ENTITY_UNAUTHORIZED_PAYMENT,
      }
    case resourceCodes.PAYMENT_INVALID_ACCOUNT:
    case resourceCodes.PAYMENT_INVALID_SOURCE_ACCOUNT:
    case resourceCodes.PAYMENT_INVALID_DESTINATION_ACCOUNT:
      return { side, account: resourceCodes.ACCOUNT_INVALID_DETAILS, holder: null }
    default:
      return null
  }
}

/** Returns true if the status requires an error. */
export const needsError = (status: PaymentStatus): boolean => statusRules[status].error !== undefined

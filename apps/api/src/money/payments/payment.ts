import { type ResourceErrorCode, resourceCodes } from '@causeway/contract/errors'
import type { EndStatus, fundStatuses, PaymentStatus, ReversalStatus } from '@causeway/contract/resources/payment'

/** Place of a payment's money. Its meaning in cents: money/ledger/ledger.ts. */
type Place =
  | 'untouched'
  | 'pulled'
  | 'sent'
  | 'arrived'
  | 'coming back'
  | 'back'
  | 'coming back in part'
  | 'back in part'

interface Status {
  /** The statuses that can follow. No other can. */
  readonly next: readonly PaymentStatus[]
  readonly money: Place
  /** The effect on fund_status, and on the statuses of both ends. A field that is absent does not change. */
  readonly fund?: (typeof fundStatuses)[number]
  readonly source?: EndStatus
  readonly destination?: EndStatus
  /** It needs a reason; the end that the reason speaks of fails, and the other one becomes this. */
  readonly error?: { readonly other?: EndStatus }
  /** The status of the reversal; a payment that has none yet gets one. */
  readonly reversal?: ReversalStatus
}

/**
 * Every status that a payment can have, and every move that it can make. One that was posted can still come back. Cash is
 * for a paper check alone, and what comes back late is no return: see {@link mayMove}. Source: contract, payment lifecycle.
 */
export const table: Readonly<Record<PaymentStatus, Status>> = {
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

export const statuses = Object.keys(table) as PaymentStatus[]

/** The statuses from which a payment can become `to`. */
export function movesInto(to: PaymentStatus): PaymentStatus[] {
  return statuses.filter(from => table[from].next.includes(to))
}

/** The fewest moves that lead from one status to another, in order; none where they are the same, null where there is no way. */
export function route(from: PaymentStatus, to: PaymentStatus): PaymentStatus[] | null {
  const ways = new Map<PaymentStatus, PaymentStatus[]>([[from, []]])
  for (const [status, way] of ways) {
    if (status === to) return way
    for (const next of table[status].next) if (!ways.has(next)) ways.set(next, [...way, next])
  }
  return null
}

/**
 * The number of days after it was posted a payment can come back: as long as an account's holder can dispute a debit.
 */
export const RETURN_DAYS = 60
const DAY = 86_400_000

/** True if a payment may make a move today, as far as its row tells. @param today `YYYY-MM-DD` */
export function mayMove(
  row: { status: string; destination_payment_method: string | null; destination_posted_date: string | null },
  to: PaymentStatus,
  today: string,
): boolean {
  const from = row.status as PaymentStatus
  if (!table[from].next.includes(to)) return false
  if (to === 'cashed') return row.destination_payment_method === 'paper'
  if (from !== 'posted' || to === 'settled' || row.destination_posted_date === null) return true
  return Date.parse(today) - Date.parse(row.destination_posted_date) <= RETURN_DAYS * DAY
}

/** True if a payment is on its way, or on its way back. One that was posted has arrived. */
export const isInProgress = (status: PaymentStatus): boolean => status !== 'posted' && table[status].next.length > 0

/** True if the rail still has something to say of a payment in this status. */
export const isMoving = (status: PaymentStatus): boolean =>
  status === 'pending' || status === 'processing' || status === 'sent' || status === 'posted'

/** Codes that the destination's institution gives; the other ones are about the source. */
const fromDestination = new Set<ResourceErrorCode>([
  resourceCodes.PAYMENT_UNAUTHORIZED_DESTINATION,
  resourceCodes.PAYMENT_INVALID_DESTINATION_ACCOUNT,
  resourceCodes.PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION,
  resourceCodes.PAYMENT_REJECTED_INVALID_AMOUNT,
])

export type Side = 'source' | 'destination'
export const sideOf = (code: ResourceErrorCode): Side => (fromDestination.has(code) ? 'destination' : 'source')

/** The statuses of the money and of both ends once a payment has become `to`. What is left out stays. */
export function legs(
  to: PaymentStatus,
  code: ResourceErrorCode | null,
): { fund_status?: string; source_status?: string; destination_status?: string } {
  const { fund, source, destination, error } = table[to]
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

/** After that many payments that failed for insufficient funds an account is not used again. */
const SHORT_OF_MONEY = 3

/**
 * The consequence of a failure for an account of the payment: it is not used again, nor is its holder if the failure is
 * a missing authorization.
 */
export function consequence(
  code: ResourceErrorCode,
): { side: Side; account: ResourceErrorCode; holder: ResourceErrorCode | null; after?: number } | null {
  const side = sideOf(code)
  switch (code) {
    case resourceCodes.PAYMENT_INSUFFICIENT_FUNDS:
      return { side, account: resourceCodes.ACCOUNT_DISABLED_INVALID_STATE, holder: null, after: SHORT_OF_MONEY }
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

/** True if a payment cannot have a status without saying why. */
export const needsError = (status: PaymentStatus): boolean => table[status].error !== undefined

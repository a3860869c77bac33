import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { PaymentStatus } from '@causeway/contract/resources/payment'

/**
 * Every move that a payment can make; what is not here is not possible. A payment that was posted can still come back,
 * up to 60 days later. Source: contract, payment lifecycle.
 */
export const moves: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['processing', 'canceled'],
  canceled: [],
  processing: ['sent', 'failed'],
  failed: [],
  sent: ['posted', 'cashed', 'settled', 'reversal_required', 'reversal_processing', 'partial_reversal_processing'],
  posted: ['settled', 'reversal_required', 'reversal_processing', 'partial_reversal_processing'],
  cashed: [],
  settled: [],
  reversal_required: ['reversal_processing'],
  reversal_processing: ['reversed', 'settled'],
  reversed: [],
  partial_reversal_processing: ['partially_reversed'],
  partially_reversed: [],
}

/** The statuses from which a payment can become `to`. */
export function movesInto(to: PaymentStatus): PaymentStatus[] {
  return (Object.keys(moves) as PaymentStatus[]).filter(from => moves[from].includes(to))
}

/** The fewest moves that lead from one status to another, in order; none where they are the same, null where there is no way. */
export function route(from: PaymentStatus, to: PaymentStatus): PaymentStatus[] | null {
  const ways = new Map<PaymentStatus, PaymentStatus[]>([[from, []]])
  for (const [status, way] of ways) {
    if (status === to) return way
    for (const next of moves[status]) if (!ways.has(next)) ways.set(next, [...way, next])
  }
  return null
}

export const statuses = Object.keys(moves) as PaymentStatus[]

/** Whether a payment is on its way, or on its way back. One that was posted has arrived. */
export const isInProgress = (status: PaymentStatus): boolean => status !== 'posted' && moves[status].length > 0

/** Whether the rail still has something to say of a payment in this status. */
export const isMoving = (status: PaymentStatus): boolean =>
  status === 'pending' || status === 'processing' || status === 'sent' || status === 'posted'

/** Codes that the destination's institution gives; the other ones are about the source. */
const fromDestination = new Set<ResourceErrorCode>([10006, 10008, 10009, 10010])

export type Side = 'source' | 'destination'
export const sideOf = (code: ResourceErrorCode): Side => (fromDestination.has(code) ? 'destination' : 'source')

/** The statuses of the money and of both ends once a payment has become `to`. What is left out stays. */
export function legs(
  to: PaymentStatus,
  code: ResourceErrorCode | null,
): { fund_status?: string; source_status?: string; destination_status?: string } {
  const both = (status: string) => ({ source_status: status, destination_status: status })
  switch (to) {
    case 'processing':
      return { fund_status: 'requested', source_status: 'processing' }
    case 'sent':
      return { fund_status: 'sent', ...both('sent') }
    case 'posted':
      return { fund_status: 'posted', ...both('posted') }
    case 'cashed':
      return { fund_status: 'cashed', source_status: 'posted', destination_status: 'cashed' }
    case 'failed':
      return code !== null && sideOf(code) === 'destination'
        ? { fund_status: 'failed', source_status: 'canceled', destination_status: 'failed' }
        : { fund_status: 'failed', source_status: 'failed', destination_status: 'canceled' }
    case 'reversal_required':
    case 'reversal_processing':
    case 'partial_reversal_processing':
      return code === null ? {} : { [`${sideOf(code)}_status`]: 'failed' }
    case 'canceled':
    case 'settled':
    case 'reversed':
      return both(to)
    default:
      return {}
  }
}

/** What a failure says of an account of the payment: that it is not to be used again, nor its holder where that is not authorized. */
export function consequence(
  code: ResourceErrorCode,
): { side: Side; account: ResourceErrorCode; holder: ResourceErrorCode | null } | null {
  const side = sideOf(code)
  switch (code) {
    case 10002:
    case 10005:
    case 10006:
      return { side, account: 11003, holder: 12001 }
    case 10003:
    case 10007:
    case 10008:
      return { side, account: 11001, holder: null }
    default:
      return null
  }
}

/** Statuses that a payment cannot have without saying why. */
export const needsError = (status: PaymentStatus): boolean =>
  status === 'failed' ||
  status === 'reversal_required' ||
  status === 'reversal_processing' ||
  status === 'partial_reversal_processing'

/**
 * The outcome of a payment as shown to a person. This module contains only pure functions because the frame and the
 * service share it.
 */

export type Outcome = 'paid' | 'on_its_way' | 'not_made' | 'returning' | 'returned' | 'partly_returned'

const outcomes: Readonly<Record<string, Outcome>> = {
  pending: 'on_its_way',
  processing: 'on_its_way',
  sent: 'on_its_way',
  posted: 'paid',
  cashed: 'paid',
  settled: 'paid',
  canceled: 'not_made',
  failed: 'not_made',
  reversal_required: 'returning',
  reversal_processing: 'returning',
  reversed: 'returned',
  partial_reversal_processing: 'returning',
  partially_reversed: 'partly_returned',
}

/** @param status the payment's status; null if no payment could be created */
export const outcomeOf = (status: string | null): Outcome =>
  status === null ? 'not_made' : (outcomes[status] ?? 'on_its_way')

/** True if a payment was not made or was at least partly returned. */
export const isLost = (outcome: Outcome): boolean => outcome !== 'paid' && outcome !== 'on_its_way'

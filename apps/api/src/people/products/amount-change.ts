import type { EventType } from '@causeway/contract/events'

/** Returns the event for an amount that changed between two of an account's records. */
export function amountChangeEvents(
  what: 'balance' | 'credit_limit',
  now: unknown,
  then: unknown,
): readonly EventType[] {
  if (typeof now !== 'number' || typeof then !== 'number' || now === then) return []
  return [`account.${what}_${now > then ? 'increased' : 'decreased'}`]
}

import type { EventType } from '@causeway/contract/events'

/** Returns the event for an amount that changed between two records of an account. */
export function moved(what: 'balance' | 'credit_limit', now: unknown, then: unknown): readonly EventType[] {
  if (typeof now !== 'number' || typeof then !== 'number' || now === then) return []
  return [`account.${what}_${now > then ? 'increased' : 'decreased'}`]
}

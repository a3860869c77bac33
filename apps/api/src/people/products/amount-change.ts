import type { EventType } from '@causeway/contract/events'

/** The event for an amount of an account that changed between two records. */
export function moved(what: 'balance' | 'credit_limit', now: unknown, then: unknown): readonly EventType[] {
  if (typeof now !== 'number' || typeof then !== 'number' || now === then) return []
  return [`account.${what}_${now > then ? 'increased' : 'decreased'}`]
}

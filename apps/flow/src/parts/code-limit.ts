/** The wait after too many code requests. The service sends the time at which the wait ends. */
import type { StepError } from '@causeway/contract/session'

/**
 * Returns the number of seconds until another code can be sent, and whether the limit applies to the phone number or
 * the network; null if no limit was reached.
 */
export function codeLimitOf(
  errors: readonly StepError[],
  now: number,
): { wait: number; by: 'number' | 'network' } | null {
  for (const { code, values } of errors) {
    if (code !== 'too_many_codes' && code !== 'too_many_codes_from_network') continue
    const wait = (Date.parse(String(values['retry_at'])) - now) / 1000
    if (wait > 0) return { wait, by: code === 'too_many_codes' ? 'number' : 'network' }
  }
  return null
}

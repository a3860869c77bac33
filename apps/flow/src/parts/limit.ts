/** The wait after too many codes: the service says until when. */
import type { StepError } from '@causeway/contract/session'

/** Returns the seconds until another code can be sent, and what the limit is about; null where no limit was reached. */
export function codeLimit(
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

import { ServiceError } from '@causeway/contract/errors'
import type { EntityRow } from '../holders/entity.js'

/** The maximum difference between a customer's clock and ours, in ms. */
const CLOCK_TOLERANCE_MS = 60_000

/**
 * Reads the time at which the customer verified a person. A proof is as old as this time says, however late the
 * customer reports it. Throws INVALID_REQUEST for a future time.
 * @param field the field's name in the error message
 */
export function readProofTime(text: string, field: string, now: number): number {
  const at = Date.parse(text)
  if (at > now + CLOCK_TOLERANCE_MS)
    throw new ServiceError(
      'INVALID_REQUEST',
      `${field} must not be in the future. It is the time of your own verification.`,
    )
  return Math.min(at, now)
}

/** Returns the age of the latest proof of a person's phone, in ms; null if the phone is not verified. */
export function phoneProofAge(entity: EntityRow, now: number): number | null {
  if (entity.phone_verified_at === null) return null
  return now - (entity.phone_proved_at ?? entity.phone_verified_at)
}

/** Verifies webhooks that follow Standard Webhooks. */
import { timingSafeEqual } from 'node:crypto'
import type { Hook } from '@causeway/connector/provider/provider'
import { MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import { Webhook } from 'standardwebhooks'

/** The maximum difference between the time in a webhook and the clock. */
const TOLERANCE_MS = 5 * MINUTE_MS
const MAX_SIGNATURES = 10

/**
 * Returns true if the webhook has the id, a recent time and a signature with the key.
 * @param now in epoch milliseconds
 */
export function isSignedWith(key: Buffer, { headers, body }: Hook, now: number): boolean {
  const id = headers.get('webhook-id') ?? ''
  const timestamp = headers.get('webhook-timestamp') ?? ''
  const signatures = (headers.get('webhook-signature') ?? '').split(' ')
  if (id === '' || id.length > 200 || !/^\d{1,12}$/.test(timestamp) || signatures.length > MAX_SIGNATURES) return false
  const at = Number(timestamp) * SECOND_MS
  // mutant: old-hook-is-rejected (false)
  if (Math.abs(now - at) > TOLERANCE_MS) return false
  const expected = Buffer.from(new Webhook(key, { format: 'raw' }).sign(id, new Date(at), body))
  return signatures.some(each => {
    const given = Buffer.from(each)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

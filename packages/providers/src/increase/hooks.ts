/** Webhooks of Increase, which follow Standard Webhooks with the bytes of the shared secret as the key. */
import { timingSafeEqual } from 'node:crypto'
import type { Hook, HookReport } from '@causeway/connector/provider/provider'
import { readJson } from '@causeway/connector/wire/json-reader'
import { MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import { Webhook } from 'standardwebhooks'
import type { IncreaseSettings } from './settings.js'

/** The maximum difference between the time in a webhook and the clock. */
const TOLERANCE_MS = 5 * MINUTE_MS
const MAX_SIGNATURES = 10
const limits = { values: 1_000, depth: 8, items: 1_000 }
const transferEvent = /^(?:ach|check|card_push|account)_transfer\.(?:created|updated)$/

export async function verify(
  { headers, body }: Hook,
  { INCREASE_WEBHOOK_SECRET }: IncreaseSettings,
  now: number,
): Promise<boolean> {
  const id = headers.get('webhook-id') ?? ''
  const timestamp = headers.get('webhook-timestamp') ?? ''
  const signatures = (headers.get('webhook-signature') ?? '').split(' ')
  if (id === '' || id.length > 200 || !/^\d{1,12}$/.test(timestamp) || signatures.length > MAX_SIGNATURES) return false
  const at = Number(timestamp) * SECOND_MS
  // mutant: old-hook-is-rejected (false)
  if (Math.abs(now - at) > TOLERANCE_MS) return false
  const webhook = new Webhook(Buffer.from(INCREASE_WEBHOOK_SECRET), { format: 'raw' })
  const expected = Buffer.from(webhook.sign(id, new Date(at), body))
  return signatures.some(each => {
    const given = Buffer.from(each)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** Returns the transfer that an event is about. Other events change nothing here. */
export function read({ body }: Hook): HookReport | null {
  const { value, fault } = readJson(body.toString(), limits)
  if (fault || typeof value !== 'object' || value === null) return null
  const { id, category, associated_object_id: changed } = value as Record<string, unknown>
  if (typeof id !== 'string' || typeof category !== 'string' || typeof changed !== 'string') return null
  if (!/^\w{1,100}$/.test(id) || !/^\w{1,100}$/.test(changed) || category.length > 100) return null
  return transferEvent.test(category) ? { id, changed: [changed] } : null
}

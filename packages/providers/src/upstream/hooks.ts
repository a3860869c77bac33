/** Webhooks of the upstream, which follow Standard Webhooks. */
import { timingSafeEqual } from 'node:crypto'
import type { Hook, HookReport } from '@causeway/connector/provider/provider'
import { readJson } from '@causeway/connector/wire/json-reader'
import { MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import { Webhook } from 'standardwebhooks'
import type { UpstreamSettings } from './settings.js'

/** The maximum difference between the time in a webhook and the clock. */
const TOLERANCE_MS = 5 * MINUTE_MS
const MAX_SIGNATURES = 10
const limits = { values: 10_000, depth: 16, items: 5_000 }

/** Returns the signer of a secret: its bytes, or the decoded bytes after `whsec_`. */
const signerOf = (secret: string) =>
  secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: 'raw' })

export async function verify(
  { headers, body }: Hook,
  { UPSTREAM_WEBHOOK_SECRET }: UpstreamSettings,
  now: number,
): Promise<boolean> {
  const id = headers.get('webhook-id') ?? ''
  const timestamp = headers.get('webhook-timestamp') ?? ''
  const signatures = (headers.get('webhook-signature') ?? '').split(' ')
  if (id === '' || id.length > 200 || !/^\d{1,12}$/.test(timestamp) || signatures.length > MAX_SIGNATURES) return false
  const at = Number(timestamp) * SECOND_MS
  if (Math.abs(now - at) > TOLERANCE_MS) return false
  const expected = Buffer.from(signerOf(UPSTREAM_WEBHOOK_SECRET).sign(id, new Date(at), body))
  return signatures.some(each => {
    const given = Buffer.from(each)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** Returns the payment that an event is about. Other events change nothing here. */
export function read({ headers, body }: Hook): HookReport | null {
  const { value, fault } = readJson(body.toString(), limits)
  if (fault || typeof value !== 'object' || value === null) return null
  const { id: changed, type } = value as Record<string, unknown>
  if (typeof type !== 'string' || typeof changed !== 'string' || !/^\w{1,100}$/.test(changed)) return null
  return /^payment\.(?:create|update)$/.test(type) ? { id: headers.get('webhook-id')!, changed: [changed] } : null
}

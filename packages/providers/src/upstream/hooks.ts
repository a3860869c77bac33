/** Webhooks of the upstream, which follow Standard Webhooks. */
import type { Hook, HookReport } from '@causeway/connector/provider/provider'
import { readJson } from '@causeway/connector/wire/json-reader'
import { isSignedWith } from '../standard-webhook.js'
import type { UpstreamSettings } from './settings.js'

const limits = { values: 10_000, depth: 16, items: 5_000 }

/** Returns the key of a secret: its bytes, or the decoded bytes after `whsec_`. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)

export const verify = async (
  hook: Hook,
  { UPSTREAM_WEBHOOK_SECRET }: UpstreamSettings,
  now: number,
): Promise<boolean> => isSignedWith(keyOf(UPSTREAM_WEBHOOK_SECRET), hook, now)

/** Returns the payment that an event is about. Other events change nothing here. */
export function read({ headers, body }: Hook): HookReport | null {
  const { value, fault } = readJson(body.toString(), limits)
  if (fault || typeof value !== 'object' || value === null) return null
  const { id: changed, type } = value as Record<string, unknown>
  if (typeof type !== 'string' || typeof changed !== 'string' || !/^\w{1,100}$/.test(changed)) return null
  return /^payment\.(?:create|update)$/.test(type) ? { id: headers.get('webhook-id')!, changed: [changed] } : null
}

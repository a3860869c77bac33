/** Webhooks of Increase, which follow Standard Webhooks with the bytes of the shared secret as the key. */
import type { Hook, HookReport } from '@causeway/connector/provider/provider'
import { readJson } from '@causeway/connector/wire/json-reader'
import { isSignedWith } from '../standard-webhook.js'
import type { IncreaseSettings } from './settings.js'

const limits = { values: 1_000, depth: 8, items: 1_000 }
const transferEvent = /^(?:ach|check|card_push|account)_transfer\.(?:created|updated)$/

export const verify = async (
  hook: Hook,
  { INCREASE_WEBHOOK_SECRET }: IncreaseSettings,
  now: number,
): Promise<boolean> => isSignedWith(Buffer.from(INCREASE_WEBHOOK_SECRET), hook, now)

/** Returns the transfer that an event is about. Other events change nothing here. */
export function read({ body }: Hook): HookReport | null {
  const { value, fault } = readJson(body.toString(), limits)
  if (fault || typeof value !== 'object' || value === null) return null
  const { id, category, associated_object_id: changed } = value as Record<string, unknown>
  if (typeof id !== 'string' || typeof category !== 'string' || typeof changed !== 'string') return null
  if (!/^\w{1,100}$/.test(id) || !/^\w{1,100}$/.test(changed) || category.length > 100) return null
  return transferEvent.test(category) ? { id, changed: [changed] } : null
}

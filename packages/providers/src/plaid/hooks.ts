/** Webhooks of Plaid, which carry a token that is signed with ES256 and has the digest of the body. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Hook, HookReport } from '@causeway/connector/provider/provider'
import { readJson } from '@causeway/connector/wire/json-reader'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import { type CryptoKey, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { type Caller, isObject, post } from './client.js'

/** The maximum age of a webhook, and the maximum difference of the clocks. */
const MAX_AGE_MS = 5 * MINUTE_MS
const MAX_TOKEN_LENGTH = 4_000
const KEY_LIFETIME_MS = DAY_MS
const MAX_KEYS = 20
/** Unknown keys are looked up at most this often, so that forged webhooks cause few requests. */
const MAX_LOOKUPS = 10
const LOOKUP_INTERVAL_MS = MINUTE_MS

const limits = { values: 10_000, depth: 16, items: 5_000 }

interface KnownKey {
  key: CryptoKey
  until: number
}

interface KeyCache {
  keys: Map<string, KnownKey>
  /** The times of the latest look-ups. */
  lookups: number[]
}

/** The keys that a configured provider knows. They end with its settings. */
const caches = new WeakMap<Caller['settings'], KeyCache>()

function cacheOf({ settings }: Caller): KeyCache {
  const cache = caches.get(settings) ?? { keys: new Map(), lookups: [] }
  caches.set(settings, cache)
  return cache
}

async function findKey(caller: Caller, kid: string, now: number): Promise<CryptoKey | null> {
  const { keys, lookups } = cacheOf(caller)
  const known = keys.get(kid)
  if (known && known.until > now) return known.key
  while (lookups[0] !== undefined && Math.abs(now - lookups[0]) > LOOKUP_INTERVAL_MS) lookups.shift()
  if (lookups.length >= MAX_LOOKUPS) return null
  lookups.push(now)
  const { value } = await post(caller, '/webhook_verification_key/get', { key_id: kid })
  const jwk = value?.['key']
  if (!isObject(jwk) || jwk['kid'] !== kid || jwk['alg'] !== 'ES256' || jwk['kty'] !== 'EC' || jwk['crv'] !== 'P-256')
    return null
  const expiredAt = jwk['expired_at']
  const until = typeof expiredAt === 'number' ? expiredAt * SECOND_MS : now + KEY_LIFETIME_MS
  if (until <= now) return null
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x: String(jwk['x']), y: String(jwk['y']) }, 'ES256')
  if (keys.size >= MAX_KEYS) keys.clear()
  keys.set(kid, { key: key as CryptoKey, until })
  return key as CryptoKey
}

export async function verify(
  { headers, body }: Hook,
  settings: Caller['settings'],
  now: number,
  fetch: Caller['fetch'],
): Promise<boolean> {
  const token = headers.get('plaid-verification') ?? ''
  if (token === '' || token.length > MAX_TOKEN_LENGTH) return false
  try {
    const { alg, kid } = decodeProtectedHeader(token)
    if (alg !== 'ES256' || typeof kid !== 'string' || !/^[\w-]{1,100}$/.test(kid)) return false
    const key = await findKey({ settings, fetch }, kid, now)
    if (!key) return false
    const { payload } = await jwtVerify(token, key, { algorithms: ['ES256'], currentDate: new Date(now) })
    const { iat, request_body_sha256: given } = payload
    if (typeof iat !== 'number' || Math.abs(now - iat * SECOND_MS) > MAX_AGE_MS) return false
    const expected = Buffer.from(createHash('sha256').update(body).digest('hex'))
    const actual = Buffer.from(typeof given === 'string' ? given : '')
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  } catch {
    return false
  }
}

/** The id under which a page is stored. Its token is a secret, because it opens the page. */
export const linkObjectOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Returns the objects that a webhook is about. Its token identifies it, because a body can be sent again. */
export function read({ headers, body }: Hook): HookReport | null {
  const { value, fault } = readJson(body.toString(), limits)
  if (fault || !isObject(value)) return null
  const isId = (id: unknown): id is string => typeof id === 'string' && /^[\w-]{1,100}$/.test(id)
  const { item_id, link_token } = value
  const changed = [...(isId(item_id) ? [item_id] : []), ...(isId(link_token) ? [linkObjectOf(link_token)] : [])]
  const id = createHash('sha256')
    .update(headers.get('plaid-verification') ?? '')
    .digest('hex')
  return changed.length > 0 ? { id, changed } : null
}

import { readBaseUrl } from '../checks.js'
import type { Endpoints } from '../contract.gen.js'
import { bytesOf, fromBase64, join, toBase64url } from './bytes.js'

type Fetch = typeof globalThis.fetch
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

export interface EncryptedFetchOptions {
  /** The private key that matches a registered public key, as a JSON Web Key with the same `kid`. */
  privateKey: object & { kid: string }
  /** The service's URL. */
  baseUrl: string | URL
  /** Used instead of the global `fetch`. */
  fetch?: Fetch
  /** Returns the current time, in epoch milliseconds. Default: `Date.now`. */
  now?: () => number
}

/** The maximum age of the service's cached key, in milliseconds. */
const MAX_KEY_AGE_MS = 600_000
const RSA = { name: 'RSA-OAEP', hash: 'SHA-256' }
const AES = 'AES-GCM'
const TAG_BYTES = 16

/**
 * Creates the client's `fetch`, which encrypts request bodies and decrypts response bodies. Files are not encrypted,
 * because they are streamed.
 * @example
 * const encrypted = createEncryptedFetch({ baseUrl, privateKey: JSON.parse(process.env.CAUSEWAY_PRIVATE_KEY) })
 * const causeway = new Causeway({ apiKey, baseUrl, fetch: encrypted })
 */
export function createEncryptedFetch({ privateKey, baseUrl, now = Date.now, ...given }: EncryptedFetchOptions): Fetch {
  const { fetch = (input, init) => globalThis.fetch(input, init) } = given
  // The keys that this address serves are public, so it may use http.
  const base = readBaseUrl(baseUrl, true)
  const { subtle } = globalThis.crypto
  if (typeof privateKey === 'string') throw new TypeError('privateKey must be an object. Pass JSON.parse(text).')
  if (!privateKey?.kid)
    throw new TypeError('createEncryptedFetch requires privateKey.kid, the kid of the registered public key')
  // WebCrypto would reject the key if these members specified a different use.
  const { key_ops: _o, use: _u, ...jwk } = privateKey as { kid: string; kty?: string; key_ops?: unknown; use?: unknown }
  const own = subtle.importKey('jwk', jwk, RSA, false, ['decrypt'])
  own.catch(() => {})
  let known: { at: number; key: Promise<{ kid: string; key: Key }> } | null = null

  async function ask(): Promise<{ kid: string; key: Key }> {
    const reply = await fetch(`${base}/.well-known/jwks.json`)
    const { keys } = (await reply.json()) as Endpoints['GET /.well-known/jwks.json']['answer']
    const found = keys.find(({ use, kty }) => use === 'enc' && kty === 'RSA')
    if (!found) throw new TypeError('The service has no key for encryption')
    const { kty, n, e } = found as unknown as { kty: string; n: string; e: string }
    return { kid: found.kid, key: await subtle.importKey('jwk', { kty, n, e }, RSA, false, ['encrypt']) }
  }

  function service(): Promise<{ kid: string; key: Key }> {
    if (known && now() - known.at < MAX_KEY_AGE_MS) return known.key
    const asked = { at: now(), key: ask() }
    known = asked
    // A failed key fetch is not cached.
    asked.key.catch(() => {
      if (known === asked) known = null
    })
    return asked.key
  }

  async function encrypt(text: string): Promise<string> {
    const { kid, key } = await service()
    const header = toBase64url(
      bytesOf(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid, cid: privateKey.kid })),
    )
    const content = globalThis.crypto.getRandomValues(new Uint8Array(32))
    const iv = globalThis.crypto.getRandomValues(new Uint8Array(12))
    const secret = await subtle.importKey('raw', content, AES, false, ['encrypt'])
    const sealed = await subtle.encrypt({ name: AES, iv, additionalData: bytesOf(header) }, secret, bytesOf(text))
    const wrapped = new Uint8Array(await subtle.encrypt(RSA, key, content))
    const [body, tag] = [
      new Uint8Array(sealed, 0, sealed.byteLength - TAG_BYTES),
      new Uint8Array(sealed, sealed.byteLength - TAG_BYTES),
    ]
    return [header, ...[wrapped, iv, body, tag].map(toBase64url)].join('.')
  }

  async function decrypt(jwe: string): Promise<Uint8Array<ArrayBuffer>> {
    const [header = '', ...parts] = jwe.split('.')
    const [wrapped, iv, body, tag] = parts.map(part => fromBase64(part) ?? bytesOf(''))
    if (!wrapped || !iv || !body || !tag) throw new TypeError('The response must be a compact JWE')
    const content = await subtle.decrypt(RSA, await own, wrapped)
    const secret = await subtle.importKey('raw', content, AES, false, ['decrypt'])
    const clear = { name: AES, iv, additionalData: bytesOf(header) }
    return new Uint8Array(await subtle.decrypt(clear, secret, join(body, tag)))
  }

  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('Service-MLE', 'jwe')
    const body = typeof init.body === 'string' ? { body: JSON.stringify({ encrypted: await encrypt(init.body) }) } : {}
    const reply = await fetch(input, { ...init, ...body, headers })
    if (reply.headers.get('Service-MLE') !== 'jwe') return reply
    const { encrypted } = (await reply.json()) as { encrypted: string }
    const { status, headers: told } = reply
    return new Response(await decrypt(encrypted), {
      status,
      headers: [...told].filter(([name]) => name !== 'content-length'),
    })
  }
}

/** Test helper that acts as a customer who encrypts messages with jose, as real customers would. */
import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Reply, TestService } from './service.js'

type Pair = Awaited<ReturnType<typeof generateKeyPair>>
let pair: Promise<Pair> | undefined
/** One key pair for all tests, because generating primes is slow. */
const keys = () => {
  pair ??= generateKeyPair('RSA-OAEP-256', { extractable: true })
  return pair
}

export const publicJwk = async (kid: string): Promise<JWK> => ({
  ...(await exportJWK((await keys()).publicKey)),
  kid,
  alg: 'RSA-OAEP-256',
  use: 'enc',
})

/** Returns the service's encryption key from its published key set. */
export async function serviceJwk(service: TestService): Promise<JWK & { kid: string }> {
  const { keys: all } = (await service.call('GET', '/.well-known/jwks.json')).body as {
    keys: (JWK & { kid: string })[]
  }
  return all.find(key => key.use === 'enc')!
}

export async function encrypt(to: JWK, body: unknown, header: Record<string, unknown>): Promise<string> {
  const key = await importJWK(to, 'RSA-OAEP-256')
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new CompactEncrypt(body instanceof Uint8Array ? body : new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', ...header } as never)
    .encrypt(key)
}

export interface Clear {
  status: number
  /** The header of the encrypted response, or null if the response was in plain text. */
  header: Record<string, unknown> | null
  body: never
  text: string
  reply: Reply
}

/** Reads a response, decrypting it with the private key if it is encrypted. */
export async function decrypt(reply: Reply): Promise<Clear> {
  const { encrypted } = reply.body as { encrypted?: string }
  if (encrypted === undefined)
    return { status: reply.status, header: null, body: reply.body as never, text: reply.text, reply }
  const { plaintext, protectedHeader } = await compactDecrypt(encrypted, (await keys()).privateKey)
  const text = new TextDecoder().decode(plaintext)
  return { status: reply.status, header: { ...protectedHeader }, body: JSON.parse(text) as never, text, reply }
}

/** Encrypts a body with the service's key, sends it, and requests a response encrypted with `cid`. */
export async function sealedCall(
  service: TestService,
  method: string,
  path: string,
  body: unknown,
  { cid, headers = {} }: { cid?: string; headers?: Record<string, string> } = {},
): Promise<Clear> {
  const to = await serviceJwk(service)
  const sent =
    body === undefined ? undefined : { encrypted: await encrypt(to, body, { kid: to.kid, ...(cid ? { cid } : {}) }) }
  return decrypt(await service.call(method, path, sent, { 'service-mle': 'jwe', ...headers }))
}

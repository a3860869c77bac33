import { decodeUtf8, hasUnkept } from '../../platform/text.js'
import { OutsideError } from '../ports.js'
import { type Envelope, MOST_BYTES } from './contract.js'
import { type RefusalCode, refusals } from './method.js'
import { type SharedKeys, SIGNATURE, sign, verify } from './signature.js'

export interface ExchangeDeps {
  /** The connector's base URL, to which paths are appended. */
  url: string
  keys: SharedKeys
  /** The time limit for an answer, in ms. */
  timeout: number
  fetch: typeof fetch
  /** The real time, in epoch milliseconds. */
  clock(): number
  /** Returns a new id each time a call is sent. */
  id(): string
}

/** Thrown if the connector does not implement the method. */
export class UnknownMethodError extends OutsideError {}

/** Sends a call once. @returns the answer, not yet validated against its schema. Throws {@link OutsideError} */
export type Exchange = (path: string, call: Envelope) => Promise<unknown>

/** Creates the error for a call that got no valid answer. The message contains nothing that was sent or received. */
const broken = (path: string, why: string) => new OutsideError(`The connector did not answer ${path}: ${why}.`)

/** Reads a body of up to `most` bytes. Returns undefined if the body is longer. */
export async function readUpTo(body: ReadableStream<Uint8Array> | null, most: number): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = body?.getReader()
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > most) {
      await reader.cancel()
      return undefined
    }
    parts.push(value)
  }
  return Buffer.concat(parts)
}

/**
 * Creates the function that calls the connector. Both sides sign their messages. Calls have time and size limits, and
 * do not follow redirects.
 */
export function createExchange({ url, keys, timeout, fetch, clock, id }: ExchangeDeps): Exchange {
  const base = url.replace(/\/$/, '')
  return async (path, call) => {
    const body = JSON.stringify(call)
    const sending = id()
    const signature = await sign(keys, body, { from: 'causeway', about: path, id: sending }, clock())
    let status: number
    let said: string | null
    let bytes: Buffer | undefined
    try {
      const response = await fetch(`${base}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', [SIGNATURE]: signature },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      status = response.status
      said = response.headers.get(SIGNATURE)
      bytes = await readUpTo(response.body, MOST_BYTES)
    } catch (error) {
      throw broken(path, error instanceof Error && error.name === 'TimeoutError' ? 'too slow' : 'no connection')
    }
    if (!bytes) throw broken(path, 'too large')
    const signed = await verify(keys, said, bytes, { from: 'connector', about: sending }, clock())
    if (signed === undefined) throw broken(path, `status ${status}, and its signature does not match this call`)
    return read(path, status, bytes)
  }
}

function read(path: string, status: number, bytes: Buffer): unknown {
  let body: { answer?: unknown; error?: { code?: unknown } }
  const text = decodeUtf8(bytes)
  if (text === undefined) throw broken(path, 'not UTF-8')
  try {
    body = JSON.parse(text)
  } catch {
    throw broken(path, 'not JSON')
  }
  if (hasUnkept(text, body)) throw broken(path, 'a string with U+0000 or an unpaired surrogate')
  if (status === 200 && typeof body === 'object' && body !== null && 'answer' in body) return body.answer
  const code = body?.error?.code
  if (typeof code === 'string' && code in refusals) {
    const { outcome, retryable } = refusals[code as RefusalCode]
    const Refusal = code === 'UNKNOWN_METHOD' ? UnknownMethodError : OutsideError
    throw new Refusal(`The connector rejected ${path}: ${code}.`, { outcome, retryable })
  }
  throw broken(path, `status ${status}, and its body is neither an answer nor an error in the contract`)
}

import { type Envelope, MAX_ANSWER_BYTES } from '../methods/contract.js'
import { type ConnectorErrorCode, connectorErrors } from '../methods/method.js'
import { OutsideError } from '../ports/outside-error.js'
import { type JsonFault, readJson } from '../wire/json-reader.js'
import { readParts } from '../wire/parts.js'
import { decodeUtf8 } from '../wire/text.js'
import { type SharedKeys, SIGNATURE_HEADER, sign, verify } from './signature.js'

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
const createAnswerError = (path: string, why: string) =>
  new OutsideError(`The connector did not answer ${path}: ${why}.`)

/**
 * Creates the function that calls the connector. Both sides sign their messages. Calls have time and size limits, and
 * do not follow redirects.
 */
export function createExchange({ url, keys, timeout, fetch, clock, id }: ExchangeDeps): Exchange {
  const base = url.replace(/\/$/, '')
  return async (path, call) => {
    const body = JSON.stringify(call)
    const callId = id()
    const signature = await sign(keys, body, { from: 'causeway', about: path, id: callId }, clock())
    let status: number
    let answerSignature: string | null
    let bytes: Buffer | 'size' | 'parts'
    try {
      const response = await fetch(`${base}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', [SIGNATURE_HEADER]: signature },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      status = response.status
      answerSignature = response.headers.get(SIGNATURE_HEADER)
      bytes = await readParts(response.body, MAX_ANSWER_BYTES)
    } catch (error) {
      throw createAnswerError(
        path,
        error instanceof Error && error.name === 'TimeoutError' ? 'too slow' : 'no connection',
      )
    }
    if (bytes === 'size') throw createAnswerError(path, 'too large')
    if (bytes === 'parts') throw createAnswerError(path, 'in too many parts')
    const answerId = await verify(keys, answerSignature, bytes, { from: 'connector', about: callId }, clock())
    if (answerId === undefined)
      throw createAnswerError(path, `status ${status}, and its signature does not match this call`)
    return readAnswer(path, status, bytes)
  }
}

/** The limits of an answer. Reading more values would keep other clients waiting. */
export const answerLimits = { values: 20_000, depth: 32, items: 10_000 }
/** The limits of the network's tables, which are read when the service starts and then every hour. */
export const tableLimits = { values: 500_000, depth: 32, items: 50_000 }

/** Describes why an answer can't be read, without anything from the answer. */
function describeJsonFault(fault: JsonFault): string {
  switch (fault.kind) {
    case 'syntax':
      return 'not JSON'
    case 'text':
    case 'name':
      return 'a string with U+0000 or an unpaired surrogate'
    case 'repeated':
      return 'an object with a repeated member'
    case 'inexact':
      return 'a number with more digits than JSON can hold exactly'
    default:
      return `more ${fault.kind} than ${fault.max}`
  }
}

function readAnswer(path: string, status: number, bytes: Buffer): unknown {
  const text = decodeUtf8(bytes)
  if (text === undefined) throw createAnswerError(path, 'not UTF-8')
  const { value, fault } = readJson(text, path === 'network/tables' ? tableLimits : answerLimits)
  if (fault) throw createAnswerError(path, describeJsonFault(fault))
  const body = value as { answer?: unknown; error?: { code?: unknown } } | null
  if (status === 200 && typeof body === 'object' && body !== null && 'answer' in body) return body.answer
  const code = body?.error?.code
  if (typeof code === 'string' && code in connectorErrors) {
    const { outcome, retryable } = connectorErrors[code as ConnectorErrorCode]
    const ErrorClass = code === 'UNKNOWN_METHOD' ? UnknownMethodError : OutsideError
    throw new ErrorClass(`The connector rejected ${path}: ${code}.`, { outcome, retryable })
  }
  throw createAnswerError(path, `status ${status}, and its body is neither an answer nor an error in the contract`)
}

import type { ErrorBody } from '@causeway/contract/errors'
import type { Version } from '@causeway/contract/versions'
import { CausewayError } from './errors.js'

/** The dated version that the types of this SDK describe; sent with every request. */
export const VERSION = '2026-03-30' satisfies Version

const FIRST_WAIT = 250
const LONGEST_WAIT = 8_000
/** A `Retry-After` above this is not waited for: the caller hears of it instead. */
const LONGEST_RETRY_AFTER = 60_000

export interface ClientOptions {
  /** The team's secret key, `sk_…`. It belongs on a server: never send it to a browser. */
  apiKey: string
  /** Where the service is, such as `https://api.example.com`. */
  baseUrl: string
  /** Used instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** The dated version to ask for instead of {@link VERSION}; null sends none, so that the team's pin counts. The types describe {@link VERSION} only. */
  version?: string | null
  /** Milliseconds that one attempt may take; 30,000 unless told. */
  timeout?: number
  /** How often a request is repeated after its first attempt; 2 unless told, 0 never repeats. */
  maxRetries?: number
}

/** What any call takes as its last argument. */
export interface RequestOptions {
  /** Key of a POST, up to 255 characters. Made up where absent and kept over all attempts; null sends none, and then the request is repeated only where nothing ran. */
  idempotencyKey?: string | null
  signal?: AbortSignal
  timeout?: number
  maxRetries?: number
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  headers?: Record<string, string>
  options?: RequestOptions | undefined
}

export interface Answer<T> {
  body: T
  headers: Headers
}

/** Sends one call, repeats it where that is safe, and throws {@link CausewayError} for everything but a success. */
export type Send = <T>(call: Call) => Promise<Answer<T>>

/** Makes the one function through which all requests go. */
export function createSend(client: ClientOptions): Send {
  const base = client.baseUrl.replace(/\/+$/, '')
  const fetch = client.fetch ?? globalThis.fetch

  return async <T>(call: Call): Promise<Answer<T>> => {
    const { options = {} } = call
    const key = call.method === 'POST' ? keyOf(options) : null
    const request = {
      method: call.method,
      redirect: 'manual' as const,
      headers: headersOf(client, call, key),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    }
    const retries = options.maxRetries ?? client.maxRetries ?? 2
    const timeout = options.timeout ?? client.timeout ?? 30_000
    // A repeated GET changes nothing, a repeated key does nothing twice. Anything else is repeated only where it never ran.
    const repeatable = call.method === 'GET' || key !== null

    for (let attempt = 0; ; attempt += 1) {
      const outcome = await once<T>(
        () => fetch(base + call.path, { ...request, signal: limit(options.signal, timeout) }),
        key,
      )
      if ('answer' in outcome) return outcome.answer
      options.signal?.throwIfAborted()
      const wait = pause(outcome, attempt, repeatable)
      if (attempt >= retries || wait === null) throw outcome.error
      await sleep(wait, options.signal)
    }
  }
}

interface Failure {
  error: CausewayError
  /** Null where no answer came. */
  headers: Headers | null
}

async function once<T>(ask: () => Promise<Response>, key: string | null): Promise<{ answer: Answer<T> } | Failure> {
  let response: Response
  let text: string
  try {
    response = await ask()
    text = await response.text()
  } catch (cause) {
    return { error: unanswered(cause, key), headers: null }
  }
  const { headers } = response
  const context = { code: response.status, request_id: headers.get('Request-Id'), idempotency_key: key }
  if (headers.get('Idempotency-Mismatch') === 'true') {
    const message = 'This Idempotency-Key was used for another request before; nothing was done. Use a new key.'
    return {
      error: new CausewayError({ ...context, type: 'IDEMPOTENCY_ERROR', sub_type: 'IDEMPOTENCY_MISMATCH', message }),
      headers,
    }
  }
  const body = readJson(text)
  if (response.ok && body !== undefined) return { answer: { body: body as T, headers } }
  const found = (body as { error?: ErrorBody } | undefined)?.error
  const { type, sub_type, message } = found ?? {
    type: 'API_ERROR',
    sub_type: 'UNREADABLE_ANSWER',
    message: `The answer (status ${response.status}) was not the service's.`,
  }
  return { error: new CausewayError({ ...context, type, sub_type, message }), headers }
}

/** Milliseconds to wait before the next attempt, or null where repeating is useless or unsafe. */
function pause({ error, headers }: Failure, attempt: number, repeatable: boolean): number | null {
  // The first answer of a key is kept for good: asking again brings the same one.
  if (headers?.get('Idempotency-Replayed') === 'true' || error.sub_type === 'IDEMPOTENCY_MISMATCH') return null
  const neverRan = error.code === 429 || error.sub_type === 'IDEMPOTENCY_UNAVAILABLE'
  const mayHelp =
    error.code === 0 || (error.code >= 500 && error.code !== 501) || error.sub_type === 'IDEMPOTENCY_KEY_IN_USE'
  if (!neverRan && !(repeatable && mayHelp)) return null
  const told = readRetryAfter(headers?.get('Retry-After') ?? null)
  if (told !== null) return told <= LONGEST_RETRY_AFTER ? told : null
  const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt)
  return most / 2 + (Math.random() * most) / 2
}

function readRetryAfter(value: string | null): number | null {
  if (value === null) return null
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds)
}

function unanswered(cause: unknown, key: string | null): CausewayError {
  const late = cause instanceof Error && cause.name === 'TimeoutError'
  const fields = { type: 'CONNECTION_ERROR', code: 0, request_id: null, idempotency_key: key }
  return late
    ? new CausewayError({ ...fields, sub_type: 'TIMED_OUT', message: 'The service did not answer in time.' }, cause)
    : new CausewayError(
        { ...fields, sub_type: 'CONNECTION_FAILED', message: 'The service could not be reached.' },
        cause,
      )
}

function headersOf(client: ClientOptions, call: Call, key: string | null): Record<string, string> {
  const headers: Record<string, string> = {
    Authorization: `Bearer ${client.apiKey}`,
    Accept: 'application/json',
    ...call.headers,
  }
  const version = client.version === undefined ? VERSION : client.version
  if (version !== null) headers['Service-Version'] = version
  if (call.body !== undefined) headers['Content-Type'] = 'application/json'
  if (key !== null) headers['Idempotency-Key'] = key
  return headers
}

const keyOf = (options: RequestOptions): string | null =>
  options.idempotencyKey === undefined ? globalThis.crypto.randomUUID() : options.idempotencyKey

const limit = (signal: AbortSignal | undefined, timeout: number): AbortSignal =>
  signal ? AbortSignal.any([signal, AbortSignal.timeout(timeout)]) : AbortSignal.timeout(timeout)

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

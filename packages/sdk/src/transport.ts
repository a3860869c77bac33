import { userAgent } from './agent.js'
import { checkCall, readBaseUrl } from './checks.js'
import { VERSION } from './contract.gen.js'
import { type CausewayError, type CausewayErrorFields, errorOf } from './errors.js'
import type { LastResponse } from './last-response.js'
import { createObserver } from './observer.js'
import type { ClientOptions, Method, RequestOptions } from './options.js'

const FIRST_RETRY_DELAY_MS = 250
const MAX_RETRY_DELAY_MS = 8_000
/**
 * The longest `Retry-After` that the client waits for, in milliseconds. If the header specifies a longer time, the call
 * fails without a retry.
 */
const MAX_RETRY_AFTER_MS = 60_000

interface Call {
  method: Method
  /** The path with its parameter names. */
  route: string
  path: string
  body?: unknown
  /** Used instead of the secret key. */
  token?: string | undefined
  /** True if the response is a file to be read as text. */
  file?: true
  options?: RequestOptions | undefined
}

interface Answer<T> {
  body: T
  response: LastResponse
}

/** Sends one request, retries it if that is safe, and throws {@link CausewayError} if it fails. */
export type Send = <T>(call: Call) => Promise<Answer<T>>

/** Creates the single function that sends all requests. */
export function createSend(client: ClientOptions): Send {
  const base = readBaseUrl(client.baseUrl, client.allowInsecureHttp)
  // Some runtimes reject a fetch that is called as another object's method.
  const { fetch = (input, init) => globalThis.fetch(input, init), sleep = byTimer } = client
  const { now = Date.now, random = Math.random } = client

  const observer = createObserver(client)

  /** Warns about fields that the service ignored, for example because of a misspelled name. */
  const warnOfUnknown = ({ method, path }: Call, outcome: { answer: Answer<unknown> } | Failure) => {
    const { headers } = 'answer' in outcome ? outcome.answer.response : outcome
    const unknown = headers?.get('Service-Unknown-Fields')
    if (!unknown || !observer.warn) return
    const fields = unknown.split(',').map(decodeURIComponent).join(', ')
    observer.warn(`Causeway: ${method} ${path.replace(/\?.*/, '')} ignored unknown fields: ${fields}`)
  }

  return async <T>(call: Call): Promise<Answer<T>> => {
    const { options = {} } = call
    checkCall(options)
    const key = call.method === 'POST' ? keyOf(options) : null
    const request = {
      method: call.method,
      redirect: 'manual' as const,
      headers: headersOf(client, call, key),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    }
    const retries = options.maxRetries ?? client.maxRetries ?? 2
    const timeout = options.timeout ?? client.timeout ?? 30_000
    // Repeating a GET, or a request with a key, has no further effect. Any other request is repeated only if the
    // service did not process it.
    // mutant: sdk-repeats-only-with-key (= true)
    const repeatable = call.method === 'GET' || key !== null

    const path = call.path.replace(/\?.*/, '')
    for (let attempt = 0; ; attempt += 1) {
      const event = { method: call.method, route: call.route, path, attempt: attempt + 1 }
      observer.request(event)
      const start = now()
      const outcome = await once<T>(
        () => fetch(base + call.path, { ...request, signal: limit(options.signal, timeout) }),
        { key, file: call.file, reference: `${base}/docs#${anchorOf(`${call.method} ${call.route}`)}` },
      )
      warnOfUnknown(call, outcome)
      const ended = { ...event, ms: now() - start }
      if ('answer' in outcome) {
        const { status, request_id } = outcome.answer.response
        observer.response({ ...ended, status, request_id, sub_type: null, retry_in: null })
        return outcome.answer
      }
      const { code, request_id } = outcome.error
      const isAborted = options.signal?.aborted === true
      const sub_type = isAborted ? 'ABORTED' : outcome.error.sub_type
      const wait = isAborted || attempt >= retries ? null : pause(outcome, { attempt, repeatable, now, random })
      observer.response({ ...ended, status: code || null, request_id, sub_type, retry_in: wait })
      options.signal?.throwIfAborted()
      if (wait === null) throw outcome.error
      await sleep(wait, options.signal)
    }
  }
}

interface Failure {
  error: CausewayError
  /** Null if there was no response. */
  headers: Headers | null
}

async function once<T>(
  ask: () => Promise<Response>,
  { key, file, reference }: { key: string | null; file: true | undefined; reference: string },
): Promise<{ answer: Answer<T> } | Failure> {
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
    const message = 'This Idempotency-Key was already used for a different request. Nothing was changed. Use a new key.'
    return {
      error: errorOf({ ...context, type: 'IDEMPOTENCY_ERROR', sub_type: 'IDEMPOTENCY_MISMATCH', message }),
      headers,
    }
  }
  const body = file && response.ok ? text : readJson(text)
  if (response.ok && body !== undefined) {
    const { code: status, ...known } = context
    const replayed = headers.get('Idempotency-Replayed') === 'true'
    return { answer: { body: body as T, response: { ...known, status, headers, replayed } } }
  }
  const found = (
    body as { error?: Pick<CausewayErrorFields, 'type' | 'sub_type' | 'message' | 'param' | 'doc_url'> } | undefined
  )?.error
  const { type, sub_type, message, param, doc_url } = found ?? {
    type: 'API_ERROR',
    sub_type: 'UNREADABLE_ANSWER',
    message: `The response (status ${response.status}) is not from the service. Check baseUrl and any proxy between this client and the service.`,
  }
  const fields = { ...context, type, sub_type, message, param: param ?? null }
  return { error: errorOf({ ...fields, doc_url: doc_url ?? (found ? reference : null) }), headers }
}

interface Circumstances {
  /** The number of previous attempts. 0 for the first attempt. */
  attempt: number
  repeatable: boolean
  now: () => number
  random: () => number
}

/** Returns the wait before the next attempt, in milliseconds, or null if a retry would be useless or unsafe. */
function pause({ error, headers }: Failure, { attempt, repeatable, now, random }: Circumstances): number | null {
  // The service stores the first response for a key, so a retry would return the same response.
  if (headers?.get('Idempotency-Replayed') === 'true' || error.sub_type === 'IDEMPOTENCY_MISMATCH') return null
  const neverRan = error.code === 429 || error.sub_type === 'IDEMPOTENCY_UNAVAILABLE'
  const mayHelp =
    error.code === 0 || (error.code >= 500 && error.code !== 501) || error.sub_type === 'IDEMPOTENCY_KEY_IN_USE'
  if (!neverRan && !(repeatable && mayHelp)) return null
  const told = readRetryAfter(headers?.get('Retry-After') ?? null, now())
  if (told !== null) return told <= MAX_RETRY_AFTER_MS ? told : null
  const most = Math.min(MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS * 2 ** attempt)
  return Math.round(most / 2 + (random() * most) / 2)
}

function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds)
}

function unanswered(cause: unknown, key: string | null): CausewayError {
  const late = cause instanceof Error && cause.name === 'TimeoutError'
  const fields = { type: 'CONNECTION_ERROR', code: 0, request_id: null, idempotency_key: key }
  return late
    ? errorOf({ ...fields, sub_type: 'TIMED_OUT', message: 'The service did not respond in time.' }, cause)
    : errorOf({ ...fields, sub_type: 'CONNECTION_FAILED', message: 'The service could not be reached.' }, cause)
}

/** Returns an endpoint's anchor in the service's reference. A test checks that the page has it. */
const anchorOf = (endpoint: string) =>
  endpoint
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function headersOf(client: ClientOptions, call: Call, key: string | null): Record<string, string> {
  const headers: Record<string, string> = {
    Authorization: `Bearer ${call.token ?? client.apiKey}`,
    Accept: call.file ? '*/*' : 'application/json',
    'Service-Version': call.options?.version ?? VERSION,
    'User-Agent': userAgent(),
  }
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

function byTimer(milliseconds: number, signal?: AbortSignal): Promise<void> {
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

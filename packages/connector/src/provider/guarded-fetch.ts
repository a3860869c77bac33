import { OutsideError } from '../ports/outside-error.js'
import { readJson } from '../wire/json-reader.js'
import { readParts } from '../wire/parts.js'
import { decodeUtf8 } from '../wire/text.js'
import type { ProviderRequest, ProviderResponse } from './provider.js'

/** Thrown if the provider rejects the credentials. Another attempt with the same credentials would fail, too. */
export class RejectedKeyError extends OutsideError {
  constructor(title: string) {
    super(`${title} rejected the credentials.`, { outcome: 'nothing', retryable: false })
  }
}

export interface GuardedFetchDeps {
  /** The provider's title, for messages. */
  title: string
  /** The base addresses that requests may go to. */
  hosts: readonly string[]
  /** The time limit for an answer, in ms. */
  timeoutMs: number
  fetch: typeof fetch
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024
const limits = { values: 100_000, depth: 32, items: 20_000 }

/** Returns true if a URL begins with one of the base addresses. Compares whole path segments. */
function isAllowed(url: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(url)) return false
  const { origin, pathname, username, password } = new URL(url)
  return (
    username === '' &&
    password === '' &&
    hosts.some(host => {
      const base = new URL(host)
      return base.origin === origin && (base.pathname === '/' || `${pathname}/`.startsWith(`${base.pathname}/`))
    })
  )
}

/**
 * Creates the function with which a provider reaches its API. See `ProviderContext.fetch` for the errors. Messages
 * contain nothing that was sent or received, except the status.
 */
export function createGuardedFetch({ title, hosts, timeoutMs, fetch }: GuardedFetchDeps) {
  return async ({ method, url, headers, body, returns = [] }: ProviderRequest): Promise<ProviderResponse> => {
    if (!isAllowed(url, hosts)) throw new Error(`A request of ${title} may not go to this address.`)
    const createError = (why: string) => new OutsideError(`${title} did not answer: ${why}.`)
    let response: Response
    let bytes: Buffer | 'size' | 'parts'
    try {
      response = await fetch(url, {
        method,
        headers: { accept: 'application/json', ...headers },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      bytes = await readParts(response.body, MAX_ANSWER_BYTES)
    } catch (error) {
      throw createError(error instanceof Error && error.name === 'TimeoutError' ? 'too slow' : 'no connection')
    }
    const { status } = response
    if (!returns.includes(status)) {
      if (status === 401 || status === 403) throw new RejectedKeyError(title)
      if (status === 429) throw new OutsideError(`${title} limits requests now.`, { outcome: 'nothing' })
      if (status < 200 || status === 408 || status >= 500 || (status >= 300 && status < 400))
        throw createError(`status ${status}`)
    }
    if (bytes === 'size' || bytes === 'parts') throw createError('too large')
    return { status, headers: response.headers, json: readBody(bytes, status, createError) }
  }
}

/** Reads a JSON body. The body of an error may be anything, because only its status is needed then. */
function readBody(bytes: Buffer, status: number, createError: (why: string) => Error): unknown {
  if (bytes.length === 0) return undefined
  const text = decodeUtf8(bytes)
  const { value, fault } = text === undefined ? { fault: true } : readJson(text, limits)
  if (!fault) return value
  if (status >= 400) return undefined
  throw createError(`status ${status}, and its body can't be read`)
}

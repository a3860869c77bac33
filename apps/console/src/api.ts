/** The console's API client. The client calls the console's own origin, whose server adds the session. */
import { VERSION } from '@causeway/sdk'
import type { Approval } from './shapes.js'
import { words } from './words.js'

/** The kinds of failures that screens distinguish. */
export type FailureKind = 'offline' | 'unavailable' | 'signed_out' | 'forbidden' | 'missing' | 'limited' | 'refused'

/** A failed call. `message` is the service's error message and contains no personal data. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly kind: FailureKind
  readonly requestId: string | null
  /** True if the service repeated the stored response to an earlier request with the same key. */
  readonly isReplay: boolean
  /** True if the request needs a second person, and a reason with which it can be asked for. */
  readonly needsReason: boolean
  constructor(
    kind: FailureKind,
    fields: { message?: string | undefined; requestId?: string | null; isReplay?: boolean; needsReason?: boolean } = {},
  ) {
    super(fields.message ?? '')
    this.kind = kind
    this.requestId = fields.requestId ?? null
    this.isReplay = fields.isReplay ?? false
    this.needsReason = fields.needsReason ?? false
  }
}

/** Thrown by a write that a second person must approve. The service stored the request in place of running it. */
export class Waiting extends Error {
  override readonly name = 'Waiting'
  readonly approval: Approval
  constructor(approval: Approval) {
    super(words.approvals.asked)
    this.approval = approval
  }
}

/** Returns the message to show for an error: the service's own, or a default if the service sent none. */
export const sentenceOf = (error: unknown): string =>
  ((error instanceof Failure || error instanceof Waiting) && error.message) || words.dialog.failed

/** One page of a list, newest items first. */
export interface List<T> {
  data: T[]
  /** The cursor for the next page, which contains older items. */
  next: string | null
  /** The cursor for the previous page, which contains newer items. */
  previous: string | null
  /** The number of items in the list, if the request asked for it. */
  total?: Total
}

interface Total {
  count: number
  /** True if the list has more items than were counted. */
  isCapped: boolean
}

/** `isRepeated` is true for a request that is sent again, after the user presented a passkey. */
type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string>; isRepeated?: true }

export type Query = Record<string, string | number | readonly string[] | null | undefined>

export interface Api {
  /** Returns the real time according to the service's clock. A browser's clock can be wrong. */
  now(): number
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>
  list<T>(path: string, query?: Query, signal?: AbortSignal): Promise<List<T>>
  /** Yields the lines of a response while it arrives. */
  lines(path: string, signal: AbortSignal): AsyncGenerator<string>
  /**
   * Sends a write request. Repeating the request with the same `key` has no further effect. Throws a {@link Waiting} if a
   * second person must approve it, for which it needs a `reason`.
   */
  send<T>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    key?: string,
    reason?: string,
  ): Promise<T>
  /** Sends a POST request whose key may have been used before. Throws like {@link send}. */
  post<T>(path: string, body: object, key: string, reason?: string): Promise<{ value: T; isReplay: boolean }>
}

const isReplay = (headers: Headers): boolean => headers.get('Idempotency-Replayed') === 'true'

const kindOf = (status: number): FailureKind =>
  status === 401
    ? 'signed_out'
    : status === 403
      ? 'forbidden'
      : status === 404 || status === 410
        ? 'missing'
        : status === 429
          ? 'limited'
          : status >= 500
            ? 'unavailable'
            : 'refused'

function totalOf(headers: Headers): Pick<List<unknown>, 'total'> {
  const count = headers.get('Pagination-Total-Count')
  const isCapped = headers.get('Pagination-Total-Count-Capped') === 'true'
  return count === null ? {} : { total: { count: Number(count), isCapped } }
}

/** Formats query parameters, with the question mark if there are any. */
export function queryOf(query: Query): string {
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue
    if (typeof value === 'object') for (const each of value) parts.append(`${name}[]`, each)
    else parts.set(name, String(value))
  }
  const text = parts.toString()
  return text && `?${text}`
}

/**
 * @param confirm asks for one of the user's passkeys, after which a request is sent again
 * @param call `fetch`, or a replacement for it on the play page and in tests
 */
export function createApi(confirm: (api: Api) => Promise<void>, call: typeof fetch = (...args) => fetch(...args)): Api {
  /**
   * The number of milliseconds by which the service's clock is ahead of the browser's, according to the latest
   * response.
   */
  let ahead = 0
  async function request(method: string, path: string, init: Init): Promise<Response> {
    try {
      return await call(`/api${path}`, {
        ...init,
        method,
        // Always request the version whose types the pages use, not the team's version.
        headers: { ...init.headers, 'Service-Version': VERSION },
        credentials: 'same-origin',
        redirect: 'error',
      })
    } catch (error) {
      if (init.signal?.aborted) throw error
      throw new Failure('offline')
    }
  }
  async function ask(method: string, path: string, init: Init): Promise<{ body: unknown; headers: Headers }> {
    const response = await request(method, path, init)
    const { headers, status } = response
    ahead = (Date.parse(headers.get('Date') ?? '') || Date.now()) - Date.now()
    const body: unknown = await response.json().catch(() => null)
    if (headers.get('Passkey-Required') === 'true' && !init.isRepeated) {
      await confirm(api)
      return ask(method, path, { ...init, isRepeated: true })
    }
    if (status === 202) throw new Waiting((body as { approval: Approval }).approval)
    if (response.ok) return { body, headers }
    const { error } = (body ?? {}) as { error?: { message?: string } }
    throw new Failure(kindOf(status), {
      message: error?.message,
      requestId: headers.get('Request-Id'),
      isReplay: isReplay(headers),
      needsReason: headers.get('Approval-Required') === 'true',
    })
  }
  const read = (path: string, query: Query = {}, signal?: AbortSignal) =>
    ask('GET', path + queryOf(query), signal ? { signal } : {})
  const write = (method: string, path: string, body: object, key: string, reason?: string) =>
    ask(method, path, {
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
        ...(reason && { 'Approval-Reason': encodeURIComponent(reason) }),
      },
      body: JSON.stringify(body),
    })
  const api: Api = {
    now: () => Date.now() + ahead,
    get: async <T>(path: string, query?: Query, signal?: AbortSignal) => (await read(path, query, signal)).body as T,
    async list<T>(path: string, query?: Query, signal?: AbortSignal) {
      const { body, headers } = await read(path, query, signal)
      return {
        data: (body as { data: T[] }).data,
        next: headers.get('Pagination-Page-Cursor-Next') || null,
        previous: headers.get('Pagination-Page-Cursor-Prev') || null,
        ...totalOf(headers),
      }
    },
    async *lines(path: string, signal: AbortSignal) {
      const response = await request('GET', path, { signal })
      if (!response.ok || !response.body) throw new Failure(kindOf(response.status))
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const lines = (rest + part.value).split('\n')
        rest = lines.pop() ?? ''
        yield* lines
      }
    },
    send: async <T>(
      method: string,
      path: string,
      body: object = {},
      key: string = crypto.randomUUID(),
      reason?: string,
    ) => (await write(method, path, body, key, reason)).body as T,
    async post<T>(path: string, body: object, key: string, reason?: string) {
      const { body: value, headers } = await write('POST', path, body, key, reason)
      return { value: value as T, isReplay: isReplay(headers) }
    },
  }
  return api
}

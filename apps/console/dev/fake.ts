/**
 * A fake of the service's `/api`. Each call returns the response listed for it in a table, fails with a given error, or
 * never returns.
 */

import { REAL_NOW } from './fixtures/people.js'

/** Returns an error response. */
export const failure = (
  status: number,
  sub_type = 'INTERNAL_ERROR',
  message = 'Something went wrong on our side.',
): Reply => ({
  status,
  body: { error: { type: status >= 500 ? 'API_ERROR' : 'INVALID_REQUEST', code: status, sub_type, message } },
})

/** The response to a request that needs a second person, and has no reason yet. */
export const needsApproval: Reply = {
  ...failure(
    403,
    'FORBIDDEN',
    'A second person must approve this. Add the reason, to ask for their approval. Nothing was changed yet.',
  ),
  headers: { 'Approval-Required': 'true' },
}

/** Returns one page of a list. If there are other pages, the list has more items than are counted. */
export const listed = (data: readonly unknown[], cursors: { next?: string; previous?: string } = {}): Reply => ({
  status: 200,
  body: { data },
  headers: {
    'Pagination-Total-Count': cursors.next ? '10000' : String(data.length),
    ...(cursors.next && { 'Pagination-Total-Count-Capped': 'true' }),
    'Pagination-Page-Cursor-Next': cursors.next ?? '',
    'Pagination-Page-Cursor-Prev': cursors.previous ?? '',
  },
})

export const reply = (body: unknown): Reply => ({ status: 200, body })

export interface Reply {
  status: number
  /** A value to send as JSON, or a stream. */
  body: unknown
  headers?: Record<string, string>
}

/**
 * Responses keyed by method and path, such as `GET /payments/:id`. Responses in a list are used in order, and the last
 * one repeats.
 */
export type Replies = Record<string, Reply | readonly Reply[] | 'never' | 'offline'>

/** A recorded call. */
export interface Call {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
  headers: Headers
}

const fits = (template: string, path: string): boolean => {
  const wanted = template.split('/')
  const given = path.split('/')
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith(':') || part === given[index])
}

/**
 * @returns the fake `fetch`, its recorded calls, and the number of hanging calls, which never get a response
 */
export function createFake(replies: Replies): { fetch: typeof fetch; calls: Call[]; hanging: () => number } {
  let hanging = 0
  const calls: Call[] = []
  const used = new Map<string, number>()
  const answer = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, searchParams: query } = new URL(String(input), 'http://play')
    const method = init.method ?? 'GET'
    const path = pathname.replace(/^\/api/, '')
    calls.push({
      method,
      path,
      query,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
      headers: new Headers(init.headers),
    })
    // If several paths match, the one with the fewest parameters takes precedence.
    const key = Object.keys(replies)
      .filter(each => each.startsWith(`${method} `) && fits(each.slice(method.length + 1), path))
      .sort((a, b) => a.split(':').length - b.split(':').length)[0]
    const found =
      key === undefined
        ? failure(404, 'NOT_FOUND', `The play page has no response for ${method} ${path}.`)
        : replies[key]
    if (found === 'offline') throw new TypeError('offline')
    if (found === 'never' || found === undefined)
      return new Promise((_, reject) => {
        hanging++
        init.signal?.addEventListener('abort', () => {
          hanging--
          reject(init.signal?.reason)
        })
      })
    const turn = used.get(key ?? '') ?? 0
    used.set(key ?? '', turn + 1)
    const { status, body, headers } = Array.isArray(found) ? found[Math.min(turn, found.length - 1)] : (found as Reply)
    return new Response(body instanceof ReadableStream ? body : JSON.stringify(body), {
      status,
      headers: {
        'Content-Type': 'application/json',
        Date: new Date(REAL_NOW).toUTCString(),
        'Request-Id': 'req_7Qd2Ma0Xk',
        ...headers,
      },
    })
  }
  return { fetch: answer as typeof globalThis.fetch, calls, hanging: () => hanging }
}

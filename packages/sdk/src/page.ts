import { queryString } from './address.js'
import { type LastResponse, withLastResponse } from './last-response.js'
import type { RequestOptions } from './options.js'
import type { Send } from './transport.js'

/** One page of a list, newest first. Iterating over a page continues with the following pages. */
export interface Page<T> extends AsyncIterable<T> {
  data: T[]
  next_cursor: string | null
  prev_cursor: string | null
  /** The number of rows in the entire list: at most 10,000 with `count`. Null unless the request specified `page` or `count`. */
  total_count: number | null
  /** The response that contained the page. Not enumerable. */
  readonly lastResponse: LastResponse
}

/**
 * A requested list. Await it to get one page, or iterate over it to get all rows.
 * @example for await (const payment of causeway.payments.list({ status: 'posted' })) book(payment)
 */
export type Pages<T> = Promise<Page<T>> & AsyncIterable<T>

/** A list's endpoint, and its path with the ids filled in. */
interface ListPlace {
  method: 'GET'
  route: string
  path: string
}

/** Requests a list. */
export function list<T>(send: Send, at: ListPlace, params: object = {}, options?: RequestOptions): Pages<T> {
  const first = page<T>(send, at, params, options)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      yield* await first
    },
  })
}

async function page<T>(send: Send, at: ListPlace, params: object, options?: RequestOptions): Promise<Page<T>> {
  const { body, response } = await send<{ data: T[] }>({ ...at, path: at.path + queryString(params), options })
  const { headers } = response
  const total = headers.get('Pagination-Total-Count')
  const read: Omit<Page<T>, 'lastResponse'> = {
    data: body.data,
    next_cursor: headers.get('Pagination-Page-Cursor-Next') || null,
    prev_cursor: headers.get('Pagination-Page-Cursor-Prev') || null,
    total_count: total === null ? null : Number(total),
    async *[Symbol.asyncIterator]() {
      yield* read.data
      for (let cursor = read.next_cursor; cursor !== null; ) {
        const next = await page<T>(send, at, { ...params, page: undefined, page_cursor: cursor }, options)
        yield* next.data
        cursor = next.next_cursor
      }
    },
  }
  return withLastResponse(read, response)
}

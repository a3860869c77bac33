import { query } from './address.js'
import type { RequestOptions, Send } from './transport.js'

/** What every list takes. Send `page` or `page_cursor`, not both. */
export interface ListParams {
  /** Rows of a page, 1 to 100; 100 unless told. */
  page_limit?: number
  /** From {@link Page.next_cursor} or {@link Page.prev_cursor}; costs the same anywhere in the list. */
  page_cursor?: string
  /** 1-based. */
  page?: number
  /** First day of creation, `YYYY-MM-DD`, UTC, inclusive. */
  from_date?: string
  /** Last day of creation, inclusive. */
  to_date?: string
}

/**
 * One page of a list, newest first. Iterating goes on over the pages that follow.
 * @example for await (const payment of await causeway.payments.list({ status: 'posted' })) book(payment)
 */
export interface Page<T> extends AsyncIterable<T> {
  data: T[]
  next_cursor: string | null
  prev_cursor: string | null
  /** Rows in the whole list; null where the service doesn't count (asked by `page_cursor`). */
  total_count: number | null
}

/** Asks for a list and reads the paging headers. */
export async function list<T>(
  send: Send,
  path: string,
  params: object = {},
  options?: RequestOptions,
): Promise<Page<T>> {
  const { body, headers } = await send<{ data: T[] }>({ method: 'GET', path: path + query(params), options })
  const total = headers.get('Pagination-Total-Count')
  const page: Page<T> = {
    data: body.data,
    next_cursor: headers.get('Pagination-Page-Cursor-Next') || null,
    prev_cursor: headers.get('Pagination-Page-Cursor-Prev') || null,
    total_count: total === null ? null : Number(total),
    async *[Symbol.asyncIterator]() {
      yield* page.data
      if (page.next_cursor === null) return
      yield* await list<T>(send, path, { ...params, page: undefined, page_cursor: page.next_cursor }, options)
    },
  }
  return page
}

import { expect, it } from 'vitest'
import { type Caller, list } from './client.js'

it('lists every page by the cursor in the headers, and asks for no page number', async () => {
  const pages = [
    { rows: ['acc_1', 'acc_2'], next: 'acc_3' },
    { rows: ['acc_3'], next: null },
  ]
  const asked: string[] = []
  const caller = {
    settings: { UPSTREAM_API_URL: 'https://api.example.com', UPSTREAM_API_KEY: 'sk_12345678' },
    async fetch({ url }) {
      asked.push(new URL(url).search)
      const { rows, next } = pages[asked.length - 1]!
      const headers = new Headers(next === null ? {} : { 'Pagination-Page-Cursor-Next': next })
      return { status: 200, headers, json: { success: true, data: rows.map(id => ({ id })) } }
    },
  } as Caller
  const ids: unknown[] = []
  for await (const { id } of list(caller, '/accounts', { type: 'liability' })) ids.push(id)
  expect(ids).toEqual(['acc_1', 'acc_2', 'acc_3'])
  expect(asked).toEqual(['?type=liability&page_limit=100', '?type=liability&page_limit=100&page_cursor=acc_3'])
})

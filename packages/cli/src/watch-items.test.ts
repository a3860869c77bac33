import { Causeway, CausewayError, type Event } from '@causeway/sdk'
import { expect, it } from 'vitest'
import { watch } from './watch-items.js'

const start = Date.parse('2026-03-02T15:00:00.000Z')
const event = (id: string, seconds: number) =>
  ({ id, type: 'payment.update', created_at: new Date(start + seconds * 1000).toISOString() }) as Event

/** Watches a list, newest first with two items per page. Before each check, the next step changes the list. */
async function seen(
  steps: ((list: Event[]) => Event[] | Error)[],
): Promise<{ ids: string[]; troubles: string[]; further: number }> {
  const stop = new AbortController()
  let list: Event[] | Error = []
  let further = 0
  const fetch = async (input: string | URL | Request) => {
    const cursor = new URL(String(input)).searchParams.get('page_cursor')
    if (cursor === null) {
      const step = steps.shift()
      if (step) list = step(Array.isArray(list) ? list : [])
      else stop.abort()
    }
    if (cursor !== null) further += 1
    if (list instanceof Error) throw list
    const from = cursor === null ? 0 : list.findIndex(({ id }) => id === cursor)
    const next = list[from + 2]
    const headers = next ? { 'Pagination-Page-Cursor-Next': next.id } : {}
    return Response.json({ data: list.slice(from, from + 2) }, { headers })
  }
  const causeway = new Causeway({ apiKey: 'sk_test', baseUrl: 'https://api.test', fetch, maxRetries: 0 })
  const ids: string[] = []
  const troubles: string[] = []
  const trouble = (error: CausewayError) => troubles.push(error.sub_type)
  const from = (signal: AbortSignal) => causeway.events.list({}, { signal })
  const given = { list: from, wants: () => true, interval: 1, signal: stop.signal, ready: () => {}, trouble }
  try {
    for await (const { id } of watch(given)) ids.push(id)
  } catch (error) {
    if (!stop.signal.aborted) throw error
  }
  return { ids, troubles, further }
}

it('omits earlier events, and shows events from several pages in order', async () => {
  const old = [event('2', 2), event('1', 1)]
  const fresh = ['7', '6', '5', '4', '3'].map(id => event(id, Number(id)))
  expect((await seen([() => old, list => [...fresh, ...list], list => list])).ids).toEqual(['3', '4', '5', '6', '7'])
})

it('finds an event that started before another and was committed after it', async () => {
  const { ids } = await seen([
    () => [event('1', 1)],
    () => [event('9', 50), event('1', 1)],
    () => [event('9', 50), event('5', 5), event('1', 1)],
  ])
  expect(ids).toEqual(['9', '5'])
})

it('loses no event if a check fails, even in the middle', async () => {
  const all = [event('3', 3), event('2', 2), event('1', 1)]
  const { ids, troubles } = await seen([() => [], () => new TypeError('fetch failed'), () => all])
  expect(ids).toEqual(['1', '2', '3'])
  expect(troubles).toEqual(['CONNECTION_FAILED'])
})

it('does not read the whole list on each check', async () => {
  const long = Array.from({ length: 50 }, (_, index) => event(String(500 - index), 10_000 - index * 25))
  const { further } = await seen([() => long, list => list])
  // Three events fall within the overlap, so each of the three checks reads one page beyond the first.
  expect(further).toBe(3)
})

it('ends if the service rejects the request', async () => {
  const fetch = async () =>
    Response.json(
      { error: { type: 'INVALID_AUTHORIZATION', sub_type: 'UNAUTHORIZED', message: 'No.' } },
      { status: 401 },
    )
  const causeway = new Causeway({ apiKey: 'sk_test', baseUrl: 'https://api.test', fetch })
  const { signal } = new AbortController()
  const list = () => causeway.events.list()
  const found = watch({ list, wants: () => true, interval: 1, signal, ready: () => {}, trouble: () => {} })
  await expect(found.next()).rejects.toBeInstanceOf(CausewayError)
})

import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { errorOf, speaking } from '../../../testing/contract/cases.js'
import { recorded, type Statement } from '../../../testing/queries/plans.js'
import { testService } from '../../../testing/service.js'
import { PLAN_FOR_VALUES } from '../../db/postgres/driver.js'
import type { Ctx } from '../../scope.js'
import { page } from './paging.js'

const service = await testService()
/** The ids, newest first: 15 from March 4, 5 from March 3 and 5 from March 2. */
const ids: string[] = []
for (let index = 0; index < 25; index++) {
  if (index === 5 || index === 10) service.advance(DAY_MS)
  ids.unshift((await service.call('POST', '/entities', { type: 'individual', individual: {} })).body['id'])
}

const list = async (query: string) => {
  const reply = await service.call('GET', `/entities?${query}`)
  const header = (name: string) => reply.headers.get(`pagination-${name}`)
  return {
    status: reply.status,
    ids: ((reply.body['data'] ?? []) as { id: string }[]).map(row => row.id),
    error: reply.status === 200 ? null : errorOf(reply.body),
    header,
    next: header('page-cursor-next'),
    prev: header('page-cursor-prev'),
  }
}

it('a total that ends at a limit is planned for the team that asks', async () => {
  const statements: Statement[] = []
  const watched = await testService({ store: store => recorded(store, statements) })
  for (const path of ['/events', '/payments?status[]=failed&status[]=settled']) {
    statements.length = 0
    const { headers } = await watched.call('GET', `${path}${path.includes('?') ? '&' : '?'}count=capped`)
    expect(headers.get('pagination-total-count')).not.toBe(null)
    const counts = statements.filter(({ text }) => text.includes('count(*)'))
    expect(counts.map(({ text }) => text.endsWith(PLAN_FOR_VALUES))).toEqual([true])
  }
})

describe('lists', () => {
  it('are sorted newest first, with at most 100 rows, whatever limit is requested', async () => {
    expect((await list('')).ids).toEqual(ids)
    const large = await list('page_limit=5000')
    expect([large.ids.length, large.header('page-limit')]).toEqual([25, '100'])
    expect((await list('page_limit=3')).ids).toEqual(ids.slice(0, 3))
  })

  it('by page include all page numbers in their headers', async () => {
    const middle = await list('page=2&page_limit=10')
    expect(middle.ids).toEqual(ids.slice(10, 20))
    expect(
      Object.fromEntries(['page', 'page-count', 'page-limit', 'total-count'].map(name => [name, middle.header(name)])),
    ).toEqual({
      page: '2',
      'page-count': '3',
      'page-limit': '10',
      'total-count': '25',
    })
    expect([middle.prev, middle.next]).toEqual([ids[0], ids[20]])
    const last = await list('page=3&page_limit=10')
    expect([last.ids.length, last.next]).toEqual([5, null])
    const beyond = await list('page=9&page_limit=10')
    expect([beyond.ids.length, beyond.header('page-count'), beyond.next]).toEqual([0, '3', null])
  })

  it('by cursor show each row once, forward and backward, without counting', async () => {
    const seen: string[] = []
    let cursor: string | null = ids[0]!
    let page = await list(`page_cursor=${cursor}&page_limit=7`)
    for (;;) {
      expect([page.header('total-count'), page.header('page-count'), page.header('page')]).toEqual([null, null, null])
      seen.push(...page.ids)
      cursor = page.next
      if (cursor === null) break
      page = await list(`page_cursor=${cursor}&page_limit=7`)
    }
    expect(seen).toEqual(ids)
    const back: string[][] = [page.ids]
    while (page.prev !== null) {
      page = await list(`page_cursor=${page.prev}&page_limit=7`)
      back.unshift(page.ids)
    }
    expect(back.flat()).toEqual(ids)
  })

  it('with sort=created_at are sorted oldest first, forward and backward', async () => {
    const oldest = [...ids].reverse()
    const seen: string[] = []
    let page = await list('sort=created_at&page_limit=7')
    for (;;) {
      seen.push(...page.ids)
      if (page.next === null) break
      page = await list(`sort=created_at&page_cursor=${page.next}&page_limit=7`)
    }
    expect(seen).toEqual(oldest)
    const back: string[][] = [page.ids]
    while (page.prev !== null) {
      page = await list(`sort=created_at&page_cursor=${page.prev}&page_limit=7`)
      back.unshift(page.ids)
    }
    expect(back.flat()).toEqual(oldest)
    expect((await list('sort=created_at&page=2&page_limit=10')).ids).toEqual(oldest.slice(10, 20))
    expect((await list('sort=-created_at')).ids).toEqual(ids)
    expect((await list('sort=amount')).status).toBe(400)
  })

  it('by cursor do not shift while new rows arrive', async () => {
    const other = await service.anotherTeam()
    const headers = { authorization: `Bearer ${other.key}` }
    const make = async () =>
      (await service.call('POST', '/entities', { type: 'individual', individual: {} }, headers)).body['id'] as string
    const first = [await make(), await make(), await make()].reverse()
    const page = await service.call('GET', '/entities?page_limit=2', undefined, headers)
    const next = page.headers.get('pagination-page-cursor-next')
    await make()
    const rest = await service.call('GET', `/entities?page_limit=2&page_cursor=${next}`, undefined, headers)
    expect((rest.body['data'] as { id: string }[]).map(row => row.id)).toEqual([first[2]])
  })

  it('filter by days, both inclusive, in UTC', async () => {
    expect((await list('from_date=2026-03-03')).ids).toEqual(ids.slice(0, 20))
    expect((await list('to_date=2026-03-03')).ids).toEqual(ids.slice(15))
    expect((await list('from_date=2026-03-03&to_date=2026-03-03')).ids).toEqual(ids.slice(15, 20))
    expect((await list('from_date=2026-03-03&to_date=2026-03-03&page=1&page_limit=2')).header('total-count')).toBe('5')
    expect((await list('from_date=2027-01-01')).ids).toEqual([])
  })

  it('accept days in the far past and future', async () => {
    expect((await list('from_date=1900-01-01&to_date=9999-12-31')).ids).toEqual(ids)
    expect((await list('to_date=2099-12-31')).ids).toEqual(ids)
    for (const far of ['2090-01-01', '2200-01-01', '9999-12-31'])
      expect([far, (await list(`from_date=${far}`)).ids]).toEqual([far, []])
    expect((await list('to_date=1900-01-01')).ids).toEqual([])
  })

  it('are counted up to 10,000 on request, with their filters, on every page', async () => {
    const counts = async (query: string) => {
      const { header, status } = await list(query)
      return [status, header('total-count'), header('total-count-capped')]
    }
    expect(await counts('count=capped&page_limit=3')).toEqual([200, '25', null])
    expect(await counts(`count=capped&page_limit=3&page_cursor=${ids[20]}`)).toEqual([200, '25', null])
    expect(await counts('count=capped&from_date=2026-03-03&to_date=2026-03-03')).toEqual([200, '5', null])
    expect(await counts('count=capped&status=disabled')).toEqual([200, '0', null])
    expect(await counts('count=capped&page=1')).toEqual([400, null, null])
    expect(await counts('count=all')).toEqual([400, null, null])
  })

  it('are never counted past 10,000', async () => {
    const { key } = await service.anotherTeam()
    const own = { authorization: `Bearer ${key}` }
    const { id } = (await service.call('POST', '/entities', { type: 'individual', individual: {} }, own)).body
    const row = await service.store.reader
      .selectFrom('entities')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const countOf = async (rows: number) => {
      for (; made < rows; made += 100) {
        const more = Array.from({ length: Math.min(100, rows - made) }, (_, index) => ({
          ...row,
          id: `${id}${made + index}`,
        }))
        await service.store.write(tx => tx.insertInto('entities').values(more).execute())
      }
      made = rows
      // The page begins at the original, because the details of the copies are sealed for another id.
      const query = `count=capped&page_limit=1&page_cursor=${id}`
      const { headers } = await service.call('GET', `/entities?${query}`, undefined, own)
      return [headers.get('pagination-total-count'), headers.get('pagination-total-count-capped')]
    }
    let made = 1
    expect(await countOf(10_000)).toEqual(['10000', null])
    expect(await countOf(10_001)).toEqual(['10000', 'true'])
  })

  it('with both page and page_cursor return 400 INVALID_SEARCH_PARAMETERS', async () => {
    expect((await list(`page=1&page_cursor=${ids[0]}`)).error).toMatchObject({
      code: 400,
      sub_type: 'INVALID_SEARCH_PARAMETERS',
    })
  })

  it('reject a malformed parameter by name, and ignore unknown ones', async () => {
    for (const [query, name] of [
      ['page=0', 'page'],
      ['page=-1', 'page'],
      ['page=1.5', 'page'],
      ['page=x', 'page'],
      ['page_limit=0', 'page_limit'],
      ['page_limit=ten', 'page_limit'],
      ['page_limit=1e2', 'page_limit'],
      ['from_date=2026-02-30', 'from_date'],
      ['from_date=03/04/2026', 'from_date'],
      ['to_date=2026-3-4', 'to_date'],
      ['to_date=today', 'to_date'],
      ['to_date=2026-03-04T00:00:00.000Z', 'to_date'],
    ] as const) {
      const { error } = await list(query)
      expect([query, error?.code, error?.sub_type]).toEqual([query, 400, 'INVALID_REQUEST'])
      expect(error?.message.startsWith(`${name} must be`)).toBe(true)
    }
    expect((await list('order=asc&page[size]=2&x=%F0%9F%92%A9')).ids).toEqual(ids)
    for (const wrong of ['nonsense', 'acc_VCiqdIe1BfHJP', 'ent_%2527', 'ent_'])
      expect((await list(`page_cursor=${wrong}`)).error).toMatchObject({ sub_type: 'INVALID_SEARCH_PARAMETERS' })
    expect((await list('page=999999999')).ids).toEqual([])
  })

  it.each(speaking)('are empty for a team without any rows, $name', async ({ mount, headers }) => {
    const other = await service.anotherTeam()
    for (const path of ['/entities', '/accounts', '/payments', '/opal/sessions']) {
      const reply = await service.call('GET', mount + path, undefined, {
        ...headers,
        authorization: `Bearer ${other.key}`,
      })
      expect(reply.body).toEqual(mount === '' ? { data: [] } : { success: true, data: [], message: null })
    }
  })
})

/** Never runs. The compiler must reject columns that a list's table doesn't have. */
void [
  // @ts-expect-error `destinaton` is not a column of payments.
  (ctx: Ctx) => page(ctx, 'payment', from => from('payments').where('destinaton', '=', 'acc_1')),
  // @ts-expect-error `source` is a column of payments, not of entities.
  (ctx: Ctx) => page(ctx, 'entity', from => from('entities').where('source', '=', 'acc_1')),
  // @ts-expect-error `balance` is not a row type that a list can show.
  (ctx: Ctx) => page(ctx, 'entity', from => from('balance')),
]

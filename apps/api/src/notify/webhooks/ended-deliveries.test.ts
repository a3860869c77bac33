import { beforeEach, describe, expect, it } from 'vitest'
import { type Hooks, startHooks } from '../../testing/hooks.js'
import { literal, plan, recorded, type Statement } from '../../testing/queries/plans.js'
import { testService } from '../../testing/service.js'

const DAY_SECONDS = 86_400

let receiver: Hooks['receiver']
let bank: Hooks['bank']
let hook: Hooks['hook']
let happens: Hooks['happens']
let passes: Hooks['passes']
beforeEach(async () => {
  ;({ receiver, bank, hook, happens, passes } = await startHooks())
})

type Row = Record<string, unknown> & { id: string; finished_at: string; created_at: string }
const list = async (query = '') => (await bank.must('GET', `/deliveries${query}`))['data'] as Row[]
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id)

/** Fails two deliveries on one day, and two on the next. Returns the webhook's id. */
async function failOnTwoDays(): Promise<string> {
  receiver.always('a.example', 500)
  const { id } = await hook()
  for (const seconds of [0, DAY_SECONDS]) {
    await passes(seconds)
    await happens()
    await happens()
    await passes(1, 2, 4, 8, 30, 120, 480)
  }
  return id
}

it('finds a delivery on the day on which it failed, not on the day on which it was created', async () => {
  receiver.always('a.example', 500)
  await hook()
  await happens()
  await passes(1, 2, 4, 8, 30, 120, 2 * DAY_SECONDS)
  const failed = (await list('?status=failed')) as [Row]
  expect(failed).toHaveLength(1)
  const [ended, created] = [failed[0].finished_at.slice(0, 10), failed[0].created_at.slice(0, 10)]
  expect(ended > created).toBe(true)
  expect(await list(`?status=failed&ended_from_date=${ended}&ended_to_date=${ended}`)).toEqual(failed)
  expect(await list(`?ended_from_date=${created}&ended_to_date=${created}`)).toEqual([])
  expect(await list(`?ended_from_date=${ended}`)).toEqual(failed)
  expect(await list(`?ended_to_date=${created}`)).toEqual([])
  // A period in another time zone includes its first ms and excludes its last one.
  const at = failed[0].finished_at
  expect(await list(`?ended_from_date=${at}&ended_to_date=${new Date(Date.parse(at) + 1).toISOString()}`)).toEqual(
    failed,
  )
  expect(await list(`?ended_to_date=${at}`)).toEqual([])
  const inOslo = encodeURIComponent(new Date(Date.parse(at) + 3_600_000).toISOString().replace('Z', '+01:00'))
  expect(await list(`?ended_from_date=${inOslo}`)).toEqual(failed)
})

it.each([
  ['one webhook, oldest first', (webhook: string) => `webhook_id=${webhook}&sort=finished_at`, 1],
  ['two statuses, latest first', () => 'status=failed&status=canceled&sort=-finished_at', -1],
])('lists the pages of %s, with both cursors and a count', async (_, filterOf, direction) => {
  const filter = filterOf(await failOnTwoDays())
  const read = async (cursor: string | null) => {
    const query = `${filter}&page_limit=2&count=capped${cursor === null ? '' : `&page_cursor=${cursor}`}`
    const { body, headers } = await bank.call('GET', `/deliveries?${query}`)
    expect(headers.get('Pagination-Total-Count')).toBe('4')
    return {
      rows: body['data'] as Row[],
      next: headers.get('Pagination-Page-Cursor-Next'),
      previous: headers.get('Pagination-Page-Cursor-Prev'),
    }
  }
  const first = await read(null)
  const second = await read(first.next)
  const rows = [...first.rows, ...second.rows]
  expect([new Set(ids(rows)).size, second.next]).toEqual([4, null])
  const times = rows.map(row => Date.parse(row.finished_at))
  expect(times).toEqual([...times].sort((one, other) => (one - other) * direction))
  expect((await read(second.previous)).rows).toEqual(first.rows)
})

it('excludes a delivery that has been sent again since', async () => {
  await failOnTwoDays()
  const [latest] = (await list('?sort=-finished_at')) as [Row]
  receiver.always('a.example', null)
  await bank.must('POST', '/deliveries/redeliver', { ids: [latest.id] })
  expect(await list('?sort=-finished_at')).toHaveLength(3)
  await passes()
  expect(ids(await list('?sort=-finished_at'))).not.toContain(latest.id)
})

it('rejects filters that match no such deliveries, and cursors of another order', async () => {
  await failOnTwoDays()
  const [{ id }] = (await list()) as [Row]
  for (const [query, sentence] of [
    ['ended_from_date=2026-03-02&status=delivered', 'Omit status'],
    ['ended_to_date=2026-03-02&from_date=2026-03-01', 'ended_to_date cannot be combined with from_date'],
    ['sort=finished_at&event_id=evt_1', 'sort=finished_at cannot be combined with event_id'],
    ['ended_from_date=2026-03-02&sort=created_at', 'sort must be finished_at or -finished_at'],
    ['ended_from_date=2026-02-30', 'ended_from_date must be a date'],
    ['ended_to_date=2026-03-02T15:00:00', 'or a time with a time zone, such as 2026-03-02T15:00:00Z'],
    [`ended_to_date=2026-03-02T${'0'.repeat(3000)}`, 'or a time with a time zone'],
    [`sort=finished_at&page_cursor=${id}`, 'page_cursor must be a value'],
  ]) {
    const { status, text } = await bank.call('GET', `/deliveries?${query}`)
    expect([query, status, text]).toEqual([query, 400, expect.stringContaining(sentence!)])
  }
})

describe('the statement that lists them', async () => {
  const statements: Statement[] = []
  const watched = await testService({ store: store => recorded(store, statements) })

  it.each([
    ['deliveries_ended', ''],
    ['deliveries_webhook_ended', '&webhook_id=whk_0000000000000'],
  ])('reads rows from %s in their order', async (index, filter) => {
    statements.length = 0
    await watched.call('GET', `/deliveries?status=failed&ended_from_date=2026-03-02&ended_to_date=2026-03-02${filter}`)
    const statement = statements.find(({ text }) => text.includes('from "deliveries"'))!
    const queryPlan = await plan(watched.store.reader, literal(statement))
    expect(queryPlan).toMatch(new RegExp(`\\b${index}\\b`))
    expect(queryPlan).not.toMatch(/SCAN (?!part|payments)|TEMP B-TREE|Seq Scan|Sort/)
  })
})

import { OutsideError } from '@causeway/connector/ports/outside-error'
import { describe, expect, it } from 'vitest'
import { testService } from '../../testing/service.js'

interface Movement {
  id: string
  description: string
  date: string
  amount: number
}
const newest = { 'service-version': '2026-03-30' }
const service = await testService()
const { data } = (await service.call('GET', '/managed_accounts', undefined, newest)).body as {
  data: { id: string }[]
}
const id = data[0]!.id

const get = (path: string, headers: Record<string, string> = newest) => service.call('GET', path, undefined, headers)
const page = async (query: string) => {
  const reply = await get(`/managed_accounts/${id}/transactions?${query}`)
  return {
    status: reply.status,
    rows: reply.body['data'] as Movement[],
    next: reply.headers.get('pagination-page-cursor-next'),
    previous: reply.headers.get('pagination-page-cursor-prev'),
  }
}

describe('a managed account', () => {
  it('is listed and read in full, and each read is in the audit log', async () => {
    const list = (await get('/managed_accounts')).body['data'] as Record<string, unknown>[]
    const one = await get(`/managed_accounts/${id}`)
    expect(list).toEqual([one.body])
    expect(Object.keys(one.body)).toEqual(['id', 'routing', 'number', 'current_balance', 'available_balance'])
    expect(one.body).toMatchObject({
      id: expect.stringMatching(/^macc_\w{13}$/),
      number: expect.stringMatching(/^\d{11}$/),
    })
    const notes = await service.store.reader
      .selectFrom('audit')
      .select('resource_id')
      .where('action', '=', 'managed_account.read')
      .execute()
    expect(notes.length).toBeGreaterThanOrEqual(3)
    expect(new Set(notes.map(({ resource_id }) => resource_id))).toEqual(new Set([id]))
  })

  it('has the balance of its transactions, and money received today clears tomorrow', async () => {
    const { rows } = await page('')
    const { current_balance, available_balance } = (await get(`/managed_accounts/${id}`)).body as Record<string, number>
    expect(rows.length).toBeGreaterThan(20)
    expect(current_balance).toBe(rows.reduce((sum, { amount }) => sum + amount, 0))
    const today = rows.filter(({ date, amount }) => date === '2026-03-02' && amount > 0)
    expect(current_balance! - available_balance!).toBe(today[0]!.amount)
  })

  it('is different for each team, and other teams cannot find it', async () => {
    const other = await service.anotherTeam()
    const headers = { ...newest, authorization: `Bearer ${other.key}` }
    const theirs = (await get('/managed_accounts', headers)).body['data'] as { id: string }[]
    expect(theirs[0]!.id).not.toBe(id)
    for (const path of ['', '/transactions'])
      expect((await get(`/managed_accounts/${id}${path}`, headers)).status).toBe(404)
  })

  it('has the older format in older versions', async () => {
    const old = { 'service-version': '2025-12-01' }
    const account = (await get(`/managed_accounts/${id}`, old)).body
    const [row] = (await get(`/managed_accounts/${id}/transactions?page_limit=1`, old)).body['data'] as object[]
    expect(Object.keys(account)).toEqual([
      'id',
      'type',
      'status',
      'routing_number',
      'account_number',
      'balance',
      'created_at',
      'updated_at',
    ])
    expect(row).toMatchObject({
      managed_account_id: id,
      type: 'credit',
      status: 'posted',
      created_at: '2026-03-02T00:00:00.000Z',
    })
  })
})

describe('its transactions', () => {
  it('are returned in pages, latest first, forward and back', async () => {
    const all = (await page('')).rows
    const first = await page('page_limit=5')
    expect([first.rows, first.previous]).toEqual([all.slice(0, 5), null])
    const second = await page(`page_limit=5&page_cursor=${first.next}`)
    expect(second.rows).toEqual(all.slice(5, 10))
    expect((await page(`page_limit=5&page_cursor=${second.previous}`)).rows).toEqual(first.rows)
    const dates = all.map(({ date }) => date)
    expect(dates).toEqual([...dates].sort().reverse())
    const end = await page(`page_cursor=${all.at(-1)!.id}`)
    expect([end.rows.length, end.next]).toEqual([1, null])
  })

  it('are filtered by date, both days inclusive', async () => {
    const { rows } = await page('from_date=2026-01-05&to_date=2026-01-07')
    expect(rows.map(({ date, description }) => [date, description])).toEqual([
      ['2026-01-07', 'Payments settled'],
      ['2026-01-05', 'Deposit'],
      ['2026-01-05', 'Opening deposit'],
    ])
  })

  it("reject a page number, an invalid date and another list's cursor", async () => {
    const said = async (query: string) => (await get(`/managed_accounts/${id}/transactions?${query}`)).body['error']
    expect(await said('page=2')).toMatchObject({ sub_type: 'INVALID_SEARCH_PARAMETERS' })
    expect(await said('page_cursor=pmt_1')).toMatchObject({ sub_type: 'INVALID_SEARCH_PARAMETERS' })
    expect(await said('from_date=yesterday')).toMatchObject({ sub_type: 'INVALID_REQUEST' })
  })
})

it('an unavailable rail returns 503 with the reason', async () => {
  const broken = await testService({
    ports: ports => ({
      ...ports,
      rail: {
        ...ports.rail,
        managedAccounts: async () => {
          throw new OutsideError('no answer')
        },
      },
    }),
  })
  const reply = await broken.call('GET', '/managed_accounts')
  expect([reply.status, reply.body['error']['message']]).toEqual([503, expect.stringMatching(/^The payment rail/)])
})

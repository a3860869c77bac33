import { OutsideError } from '@causeway/connector/ports/outside-error'
import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

type Body = Record<string, unknown> & { id: string }
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

describe('a simulated transaction', async () => {
  const sandbox = await testService()
  const bank = lender(sandbox)
  const [account] = ((await bank.must('GET', '/managed_accounts')) as unknown as { data: Body[] }).data
  const path = `/managed_accounts/${account!.id}`
  const simulate = (body: object, headers = newest) => bank.call('POST', `/simulate${path}/transactions`, body, headers)
  const balances = async () => {
    const { current_balance, available_balance } = (await bank.call('GET', path, undefined, newest)).body
    return { current: current_balance as number, available: available_balance as number }
  }

  it('changes the balance, is listed first, and clears the next day if it is a deposit', async () => {
    const before = await balances()
    const deposit = (await simulate({ type: 'deposit', amount: 250_000 })).body
    expect(deposit).toEqual({
      id: expect.stringMatching(/^macc_txn_\w{13}$/),
      description: 'Simulated deposit',
      date: '2026-03-02',
      amount: 250_000,
    })
    const withdrawal = (await simulate({ type: 'withdraw', amount: 100_000 })).body
    expect(withdrawal).toMatchObject({ description: 'Simulated withdrawal', amount: -100_000 })
    expect(await balances()).toEqual({ current: before.current + 150_000, available: before.available - 100_000 })
    const list = async (query: string) =>
      ((await bank.call('GET', `${path}/transactions?${query}`, undefined, newest)).body as unknown as { data: Body[] })
        .data
    expect(await list('page_limit=2')).toEqual([withdrawal, deposit])
    expect((await list(`page_limit=1&page_cursor=${deposit.id}`))[0]).toEqual(deposit)
    sandbox.advance(DAY_MS)
    const { current, available } = await balances()
    expect(current - available).toBe(0)
  })

  it('has the older format in older versions', async () => {
    const { body } = await simulate({ type: 'withdraw', amount: 100 }, { 'service-version': '2025-12-01' })
    expect(body).toMatchObject({ managed_account_id: account!.id, type: 'debit', amount: -100 })
  })

  it.each([
    ['without an amount', { type: 'deposit' }],
    ['of nothing', { type: 'deposit', amount: 0 }],
    ['of another type', { type: 'transfer', amount: 1 }],
  ])('%s is rejected', async (_name, body) => {
    expect((await simulate(body)).status).toBe(400)
  })

  it('is rejected for an account of another team, and changes only the own account', async () => {
    const other = lender(sandbox, (await sandbox.anotherTeam()).key)
    const before = await balances()
    expect(await other.rejection('POST', `/simulate${path}/transactions`, { type: 'deposit', amount: 1 })).toBe(
      'NOT_FOUND',
    )
    const [theirs] = ((await other.must('GET', '/managed_accounts')) as unknown as { data: Body[] }).data
    await other.must('POST', `/simulate/managed_accounts/${theirs!.id}/transactions`, { type: 'deposit', amount: 1 })
    expect(await balances()).toEqual(before)
  })

  it('is rejected when a team has simulated 1,000', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      team_id: sandbox.team,
      id: `macc_txn_0000000000${String(index).padStart(3, '0')}`,
      amount: 1,
      created_at: Date.parse('2026-01-06T00:00:00.000Z'),
    }))
    const kept = await sandbox.store.reader
      .selectFrom('simulated_transactions')
      .select(query => query.fn.countAll<number>().as('count'))
      .where('team_id', '=', sandbox.team)
      .executeTakeFirstOrThrow()
    await sandbox.store.write(tx =>
      tx
        .insertInto('simulated_transactions')
        .values(rows.slice(Number(kept.count) + 1))
        .execute(),
    )
    expect((await simulate({ type: 'deposit', amount: 1 })).status).toBe(200)
    const refused = await simulate({ type: 'deposit', amount: 1 })
    expect([refused.status, refused.body.error!.message]).toEqual([400, expect.stringContaining('at most 1000')])
    expect(await balances()).toMatchObject({ current: expect.any(Number) })
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

import { DAY_MS } from '@causeway/contract/time'
import { expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()

it('counts payments by day and current status, and again after they change', async () => {
  const bank = lender(service)
  const source = (await bank.source()).id
  const destination = (await bank.debts()).accounts[0]!.id
  const pay = async (amount: number) =>
    (await bank.must('POST', '/payments', { amount, source, destination, description: 'x' })).id
  const stats = async (query = '') =>
    (await bank.must('GET', `/stats/payments${query}`)) as unknown as { data: object[]; as_of: string }
  expect(await stats()).toEqual({ data: [], as_of: '2026-03-02T15:00:00.000Z' })
  const first = await pay(5_000)
  await pay(7_000)
  await bank.must('DELETE', `/payments/${await pay(900)}`)
  service.advance(DAY_MS)
  await pay(300)
  await bank.must('POST', `/simulate/payments/${first}`, { status: 'processing' })
  const expected = [
    { day: '2026-03-02', status: 'canceled', count: 1, cents: 900 },
    { day: '2026-03-02', status: 'pending', count: 1, cents: 7_000 },
    { day: '2026-03-02', status: 'processing', count: 1, cents: 5_000 },
    { day: '2026-03-03', status: 'pending', count: 1, cents: 300 },
  ]
  const counted = await stats()
  expect(counted).toEqual({ data: expected, as_of: '2026-03-03T15:00:00.000Z' })
  await pay(400)
  expect(await stats()).toEqual(counted)
  service.advance(60_000)
  expect((await stats()).data).toContainEqual({ day: '2026-03-03', status: 'pending', count: 2, cents: 700 })
  expect((await stats('?from_date=2026-03-02&to_date=2026-03-02')).data).toEqual(expected.slice(0, 3))
  const other = lender(service, (await service.anotherTeam()).key)
  expect((await other.must('GET', '/stats/payments'))['data']).toEqual([])
  // 92 days.
  expect((await stats('?from_date=2025-12-01&to_date=2026-03-02')).data).toEqual(expected.slice(0, 3))
  for (const query of ['?from_date=2026-03-04&to_date=2026-03-02', '?from_date=2025-11-30&to_date=2026-03-02'])
    expect(await bank.rejection('GET', `/stats/payments${query}`)).toBe('INVALID_REQUEST')
})

it('counts days in a time zone, and rejects an unknown time zone', async () => {
  const other = lender(service, (await service.anotherTeam()).key)
  const source = (await other.source()).id
  const destination = (await other.debts()).accounts[0]!.id
  const pay = () => other.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  const days = async (query: string) =>
    ((await other.must('GET', `/stats/payments?${query}`))['data'] as { day: string }[]).map(({ day }) => day)
  // 21:00 in Chicago is 03:00 UTC the next day.
  const evening = new Date(service.deps.clock())
  service.advance(Date.parse(`${evening.toISOString().slice(0, 10)}T03:00:00.000Z`) + DAY_MS - evening.getTime())
  await pay()
  const today = new Date(service.deps.clock()).toISOString().slice(0, 10)
  const yesterday = new Date(service.deps.clock() - DAY_MS).toISOString().slice(0, 10)
  expect(await days('')).toEqual([today])
  expect(await days('time_zone=UTC')).toEqual([today])
  expect(await days('time_zone=America/Chicago')).toEqual([yesterday])
  expect(await days(`time_zone=America/Chicago&from_date=${yesterday}`)).toEqual([yesterday])
  expect(await other.rejection('GET', '/stats/payments?time_zone=Mars')).toBe('INVALID_REQUEST')
})

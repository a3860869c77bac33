import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { people } from '../tables/people.js'

const service = await testService()
const bank = lender(service)
const source = (await bank.source()).id
const good: Record<string, unknown> = {
  amount: 5_000,
  source,
  destination: (await bank.debts()).accounts[0]!.id,
  description: 'x',
}

const clock = (advance: unknown) => bank.call('POST', '/simulate/clock', { advance })

describe('the sandbox clock', () => {
  it('moves forward, and completes due work before it responds', async () => {
    const { id } = await bank.must('POST', '/payments', good)
    const moved = await clock('P3D')
    expect(moved.body).toMatchObject({ now: '2026-03-05T15:00:00.000Z' })
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({
      status: 'posted',
      updated_at: '2026-03-05T15:00:00.000Z',
    })
    expect((await clock('PT2H30M')).body).toMatchObject({ now: '2026-03-05T17:30:00.000Z' })
  })

  it('dates everything that is created afterward', async () => {
    const made = await bank.must('POST', '/payments', good)
    expect(made).toMatchObject({ created_at: '2026-03-05T17:30:00.000Z', source_settlement_date: '2026-03-05' })
  })

  it("does not move other teams' time", async () => {
    const other = lender(service, (await service.anotherTeam()).key)
    expect(await other.must('POST', '/entities', { type: 'corporation', corporation: { name: 'A' } })).toMatchObject({
      created_at: '2026-03-02T15:00:00.000Z',
    })
  })

  it('advances with real time', async () => {
    service.advance(DAY_MS)
    expect((await clock('PT1S')).body).toMatchObject({ now: '2026-03-06T17:30:01.000Z' })
  })

  it('adds up simultaneous advances', async () => {
    const before = Date.parse((await clock('PT1S')).body['now'] as string)
    await Promise.all([clock('PT1M'), clock('PT1M'), clock('PT1M')])
    expect(Date.parse((await clock('PT1S')).body['now'] as string)).toBe(before + 181_000)
  })

  it('returns its time', async () => {
    const moved = (await clock('PT1S')).body
    expect(await bank.must('GET', '/simulate/clock')).toEqual(moved)
  })

  it.each([undefined, '', 'P', 'PT', '3D', 'P-3D', 'P0D', 'P1Y', 'P1.5D', 'P401D', 5, 'p3d'])(
    'does not move by %s',
    async advance => {
      expect((await clock(advance)).body.error?.sub_type).toBe('INVALID_REQUEST')
    },
  )
})

describe('faults', () => {
  const fault = (target: string, mode: string, duration = 'PT30S') =>
    bank.call('POST', '/simulate/faults', { target, mode, for: duration })

  it('a failing rail delays a payment, which continues automatically afterward', async () => {
    expect((await fault('rail', 'failing')).body).toMatchObject({ target: 'rail', mode: 'failing' })
    const { id } = await bank.must('POST', '/payments', good)
    await clock('P5D')
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'pending' })
    expect((await bank.call('DELETE', `/payments/${id}`)).status).toBe(503)
    service.advance(40_000)
    await service.settle()
    expect(await bank.must('GET', `/payments/${id}`)).toMatchObject({ status: 'posted' })
  })

  it('7 IDEMPOTENCY_UNAVAILABLE a payment with a key is 503 without effect; one without a key is created', async () => {
    await fault('idempotency', 'failing')
    const key = { 'idempotency-key': 'while-down' }
    const before = (await service.store.reader.selectFrom('payments').select('id').execute()).length
    const keyed = await bank.call('POST', '/payments', good, key)
    expect(keyed.body.error).toMatchObject({ type: 'API_ERROR', code: 503, sub_type: 'IDEMPOTENCY_UNAVAILABLE' })
    expect((await service.store.reader.selectFrom('payments').select('id').execute()).length).toBe(before)
    await bank.must('POST', '/payments', good)
    await fault('idempotency', 'failing', 'PT0S')
    expect((await bank.call('POST', '/payments', good, key)).status).toBe(200)
  })

  it('are listed until they end', async () => {
    const other = lender(service, (await service.anotherTeam()).key)
    const list = async (caller = bank) =>
      (await caller.must('GET', '/simulate/faults'))['data'] as { target: string; until: string }[]
    await fault('identity', 'flapping', 'PT1M')
    await fault('network', 'slow', 'PT10S')
    const until = new Date(service.deps.clock() + 60_000).toISOString()
    expect((await list()).find(each => each.target === 'identity')).toEqual({
      target: 'identity',
      mode: 'flapping',
      until,
    })
    expect(await list(other)).toEqual([])
    service.advance(10_000)
    expect((await list()).map(each => each.target)).toEqual(['identity'])
    service.advance(50_000)
    expect(await list()).toEqual([])
  })

  it('accept only known components and modes, and last at most a day', async () => {
    for (const [target, mode, duration] of [
      ['moon', 'failing', 'PT1S'],
      ['rail', 'sad', 'PT1S'],
      ['rail', 'slow', 'P2D'],
      ['rail', 'slow', 'soon'],
    ] as const)
      expect((await fault(target, mode, duration)).body.error?.sub_type).toBe('INVALID_REQUEST')
  })
})

it('lists the people in the sandbox with their scenarios', async () => {
  const listed = (await bank.must('GET', '/simulate/people'))['data'] as unknown[]
  expect(listed).toHaveLength(people.length)
  expect(listed).toContainEqual({
    phone: '+15125550106',
    last4: '0106',
    title: 'A thin credit file',
    hint: 'Discovery fails with 26001.',
    accounts: 0,
  })
  expect(listed).toContainEqual({
    phone: '+15125550101',
    last4: '0101',
    title: 'Four accounts, all payable',
    hint: null,
    accounts: 4,
  })
})

it('a simulation in production is 403', async () => {
  const production = await testService({ environment: 'production' })
  for (const path of ['/simulate/clock', '/simulate/faults', '/simulate/payments/pmt_0000000000000']) {
    const reply = await production.call('POST', path, { advance: 'P1D' })
    expect([reply.status, (reply.body as { error: { sub_type: string } }).error.sub_type]).toEqual([403, 'FORBIDDEN'])
  }
})

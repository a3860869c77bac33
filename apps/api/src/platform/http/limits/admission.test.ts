import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { errorOf } from '../../../testing/contract/cases.js'
import { type TestService, testService } from '../../../testing/service.js'
import { type AdmittedRequest, createAdmission } from './admission.js'

let now = 0
beforeEach(() => {
  now = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const limits = { slots: 4, slotsPerTeam: 2, waiting: { team: 3, all: 5 } }
const open = (more: Partial<typeof limits> = {}) => createAdmission({ ...limits, ...more }, () => now)

/** Requests `count` slots. @returns the slots granted so far, and the rejections */
function ask(admission: ReturnType<typeof open>, team: string, count: number) {
  const turns: AdmittedRequest[] = []
  const refused: unknown[] = []
  for (let each = 0; each < count; each += 1)
    void (async () => turns.push(await admission.enter(team)))().catch(error => refused.push(error))
  return { turns, refused }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

describe('request slots', () => {
  it('are all available to a single team', async () => {
    const alone = ask(open(), 'a', 6)
    await settle()
    expect(alone.turns).toHaveLength(4)
    alone.turns[0]!.end()
    await settle()
    expect(alone.turns).toHaveLength(5)
  })

  it('are divided while two teams need them', async () => {
    const admission = open()
    const flood = ask(admission, 'a', 6)
    const other = ask(admission, 'b', 1)
    await settle()
    expect([flood.turns.length, other.turns.length]).toEqual([4, 0])
    flood.turns[0]!.end()
    await settle()
    // The slot goes to the team that has none, even though its request arrived last.
    expect([flood.turns.length, other.turns.length]).toEqual([4, 1])
    flood.turns[1]!.end()
    flood.turns[2]!.end()
    await settle()
    // The team already has two running requests, which is its full share.
    expect(flood.turns).toHaveLength(5)
    flood.turns[3]!.end()
    flood.turns[4]!.end()
    other.turns[0]!.end()
    await settle()
    expect(flood.turns).toHaveLength(6)
  })

  it('are assigned to the waiting teams in turn', async () => {
    const admission = open({ slots: 1, slotsPerTeam: 1 })
    const given: string[] = []
    const turns: AdmittedRequest[] = []
    for (const team of ['a', 'a', 'a', 'b', 'c'])
      void Promise.resolve(admission.enter(team)).then(turn => {
        given.push(team)
        turns.push(turn)
      })
    for (let each = 0; each < 5; each += 1) {
      await settle()
      turns[each]!.end()
    }
    // Team `a`'s first request was admitted before the others arrived.
    expect(given).toEqual(['a', 'a', 'b', 'c', 'a'])
  })

  it('are all available to a team again after the other team is idle for two seconds', async () => {
    const admission = open()
    ask(admission, 'b', 1)
    const flood = ask(admission, 'a', 5)
    await settle()
    expect(flood.turns).toHaveLength(2)
    now = 2_000
    await vi.advanceTimersByTimeAsync(100)
    expect(flood.turns).toHaveLength(3)
  })

  it('are free for other requests while a request waits for an external service', async () => {
    const admission = open({ slots: 1 })
    const { turns } = ask(admission, 'a', 2)
    await settle()
    let answer = () => {}
    const asked = turns[0]!.releaseWhile(
      () =>
        new Promise<void>(resolve => {
          answer = resolve
        }),
    )
    await settle()
    expect(turns).toHaveLength(2)
    answer()
    await asked
    expect(admission.counts()).toEqual({ running: 2, waiting: 0 })
    for (const turn of turns) turn.end()
    expect(admission.counts()).toEqual({ running: 0, waiting: 0 })
  })

  it('are counted once if waits for external services are nested, and not after the request ended', async () => {
    const admission = open()
    const { turns } = ask(admission, 'a', 1)
    await settle()
    await turns[0]!.releaseWhile(() => turns[0]!.releaseWhile(async () => {}))
    expect(admission.counts()).toEqual({ running: 1, waiting: 0 })
    await turns[0]!.releaseWhile(async () => turns[0]!.end())
    expect(admission.counts()).toEqual({ running: 0, waiting: 0 })
  })

  it('are rejected, with a retry time, for requests that have waited too long', async () => {
    const admission = open({ slots: 1 })
    const { turns, refused } = ask(admission, 'a', 2)
    await settle()
    now = 2_999
    await vi.advanceTimersByTimeAsync(100)
    expect(refused).toEqual([])
    now = 3_000
    await vi.advanceTimersByTimeAsync(100)
    expect(refused).toMatchObject([{ subType: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } }])
    turns[0]!.end()
    expect(admission.counts()).toEqual({ running: 0, waiting: 0 })
  })

  it('are rejected after half a second for requests that cannot expect one in time', async () => {
    const admission = open({ slots: 1, waiting: { team: 50, all: 50 } })
    const flood = ask(admission, 'a', 21)
    await settle()
    // Two admissions per second: the requests that already wait need ten seconds.
    for (const time of [500, 1_000]) {
      now = time
      flood.turns.at(-1)!.end()
      await settle()
    }
    const late = ask(admission, 'a', 1)
    now = 1_499
    await vi.advanceTimersByTimeAsync(100)
    expect(late.refused).toEqual([])
    now = 1_500
    await vi.advanceTimersByTimeAsync(100)
    expect(late.refused).toMatchObject([{ subType: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } }])
    expect(flood.refused).toEqual([])
  })

  it('are not rejected early in a burst after few requests', async () => {
    const admission = open({ slots: 2, waiting: { team: 50, all: 50 } })
    ask(admission, 'a', 1)
    for (const time of [0, 500, 1_000]) {
      now = time
      const single = ask(admission, 'a', 1)
      await settle()
      single.turns[0]!.end()
    }
    const burst = ask(admission, 'a', 40)
    now = 2_900
    await vi.advanceTimersByTimeAsync(100)
    expect(burst.refused).toEqual([])
  })

  it('are given out in slices of 8 ms, so that the event loop can turn between them', async () => {
    vi.useRealTimers()
    const admission = open({ slots: 1 })
    const order: string[] = []
    setImmediate(() => order.push('turn'))
    const run = async (request: string) => {
      const turn = await admission.enter('a')
      order.push(request)
      now += 5
      turn.end()
    }
    await Promise.all(['1', '2', '3', '4'].map(run))
    expect(order).toEqual(['1', '2', 'turn', '3', '4'])
  })

  it('are rejected immediately if too many requests are waiting, for one team or in total', async () => {
    const admission = open({ slots: 1, slotsPerTeam: 1 })
    const flood = ask(admission, 'a', 6)
    await settle()
    expect([flood.turns.length, flood.refused.length]).toEqual([1, 2])
    const others = ['b', 'c', 'd'].map(team => ask(admission, team, 1))
    await settle()
    expect(others.map(({ refused }) => refused.length)).toEqual([0, 0, 1])
  })

  it('are released once, even if a request ends several times', async () => {
    const admission = open()
    const { turns } = ask(admission, 'a', 1)
    await settle()
    turns[0]!.end()
    turns[0]!.end()
    expect(admission.counts()).toEqual({ running: 0, waiting: 0 })
  })
})

describe('a service without a free place', () => {
  let service: TestService
  beforeEach(async () => {
    vi.useRealTimers()
    service = await testService()
  })

  it('returns 503 with Retry-After, and leaves the key unused', async () => {
    const { admission } = service.app.deps
    const enter = vi.spyOn(admission, 'enter')
    enter.mockImplementationOnce(() =>
      createAdmission({ ...limits, slots: 0, waiting: { team: 0, all: 0 } }).enter('a'),
    )
    const create = () => service.call('POST', '/secrets', { name: 'one', value: 'v' }, { 'idempotency-key': 'busy' })
    const refused = await create()
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(errorOf(refused.body)).toMatchObject({ sub_type: 'SERVICE_UNAVAILABLE' })
    const again = await create()
    expect(again.headers.get('idempotency-replayed')).toBeNull()
    expect(again.status).not.toBe(503)
    expect(admission.counts()).toEqual({ running: 0, waiting: 0 })
  })

  it('frees the slot of every request, including rejected ones', async () => {
    await Promise.all([
      service.call('GET', '/payments'),
      service.call('GET', '/payments/pmt_unknown'),
      service.call('POST', '/payments', { amount: 1 }),
      service.call('POST', '/payments', { amount: 1 }, { 'idempotency-key': 'k' }),
    ])
    expect(service.app.deps.admission.counts()).toEqual({ running: 0, waiting: 0 })
  })
})

import { expect, it, vi } from 'vitest'
import { type TestService, testService } from '../../../testing/service.js'
import type { Route } from '../endpoint/route.js'
import { createLimits } from './limits.js'
import { shareLimits } from './shared-limits.js'

type App = TestService['app']

const service = await testService({ rateLimits: 0.1 })
const other = service.another()

/** Resolves after a process has exchanged its counts with the store once. */
async function exchange({ deps }: App): Promise<void> {
  let heard = () => {}
  const done = new Promise<void>(resolve => {
    heard = resolve
  })
  const limits = {
    ...deps.limits,
    hear(told: Parameters<typeof deps.limits.hear>[0]) {
      deps.limits.hear(told)
      heard()
    },
  }
  const stop = shareLimits({ ...deps, limits }, 1)
  await done
  await stop()
}

async function statusesOf(app: App, method: string, path: string, times: number): Promise<number[]> {
  const statuses: number[] = []
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
  for (let each = 0; each < times; each += 1) {
    const body = method === 'GET' ? null : '{"amount":1}'
    statuses.push((await app.api.fetch(new Request(`http://127.0.0.1:4000${path}`, { method, headers, body }))).status)
  }
  return statuses
}

it('requests to two processes are counted together, and a rejection applies to both', async () => {
  expect(await statusesOf(service.app, 'POST', '/payments', 7)).toEqual(Array(7).fill(400))
  await exchange(service.app)
  await exchange(other)
  expect(await statusesOf(other, 'POST', '/payments', 7)).toEqual([400, 400, 400, 400, 400, 429, 429])
  await exchange(other)
  await exchange(service.app)
  expect(await statusesOf(service.app, 'POST', '/payments', 1)).toEqual([429])
  const rows = await service.store.reader
    .selectFrom('counters')
    .select('subject')
    .where('kind', '=', 'requests')
    .execute()
  expect(rows).not.toEqual([])
  expect(rows.filter(({ subject }) => subject.includes(service.team))).toEqual([])
})

it("a process's counts are dropped ten seconds after it ends", async () => {
  service.advance(60_001)
  expect(new Set(await statusesOf(service.app, 'GET', '/payments', 590))).toEqual(new Set([200]))
  await exchange(service.app)
  await exchange(other)
  service.advance(10_001)
  await exchange(other)
  expect(new Set(await statusesOf(other, 'GET', '/payments', 590))).toEqual(new Set([200]))
})

it('an unresponsive database delays only one exchange, and shutdown waits only for that exchange', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    let exchanges = 0
    let answer = () => {}
    const answered = new Promise<void>(resolve => {
      answer = resolve
    })
    const limits = {
      ...service.deps.limits,
      tell() {
        exchanges += 1
        return [{ name: 'team_1 payments', used: 1, blockedUntil: 0 }]
      },
    }
    const store = { ...service.store, write: () => answered as Promise<never> }
    const stop = shareLimits({ ...service.deps, store, limits }, 1_000)
    vi.advanceTimersByTime(60_000)
    const stopped = stop()
    answer()
    await stopped
    expect(exchanges).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

it('shares only subjects that are close to a limit', () => {
  const limits = createLimits(() => 0, 1)
  const route = { method: 'POST', path: '/payments' } as Route
  for (let each = 0; each < 11; each += 1) limits.request('team_1', route)
  expect(limits.tell()).toEqual([])
  limits.request('team_1', route)
  expect(limits.tell()).toEqual([{ name: 'team_1 payments', used: 12, blockedUntil: 0 }])
})

it('counts from several processes are added up, and the longest rejection applies', () => {
  const limits = createLimits(() => 0, 1)
  const route = { method: 'POST', path: '/payments' } as Route
  limits.hear([
    { name: 'team_1 payments', used: 60, blockedUntil: 0 },
    { name: 'team_1 payments', used: 59, blockedUntil: 0 },
  ])
  limits.request('team_1', route)
  expect(() => limits.request('team_1', route)).toThrow()
  limits.hear([{ name: 'team_2 payments', used: 0, blockedUntil: 30_000 }])
  expect(() => limits.request('team_2', route)).toThrow()
})

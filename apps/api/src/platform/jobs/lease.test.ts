import { expect, it, vi } from 'vitest'
import { testService } from '../../testing/service.js'
import { type Scope, transact } from '../scope.js'
import { createJobs } from './jobs.js'

const service = await testService()

// kills: lost-job-has-no-effect
it("a long job stays with its process; a dead process's job is taken over within 15 seconds and runs once", async () => {
  const timers = vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let end = () => {}
  const handlerOf = (name: string, wait: Promise<void>) => ({
    long: {
      async run() {
        await wait
        return async (scope: Scope) => {
          await scope.db.insertInto('counters').values({ kind: 'test', subject: name, used: 1, ends_at: 0 }).execute()
          return undefined
        }
      },
    },
  })
  const hangs = new Promise<void>(resolve => {
    end = resolve
  })
  const first = createJobs(service.deps, handlerOf('first', hangs))
  const second = createJobs(service.deps, handlerOf('second', Promise.resolve()))
  const team = (await service.deps.teamOf(service.team))!
  const id = await transact(service.deps, team, scope => first.enqueue(scope, { kind: 'long', payload: {} }))
  const running = first.settle(service.team, id, 10_000)
  const leaseOf = async () =>
    (await service.store.reader.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst())?.lease_until
  await expect.poll(leaseOf).toBeGreaterThan(0)
  for (let passed = 0; passed < 60_000; passed += 5_000) {
    const before = await leaseOf()
    service.advance(5_000)
    timers.advanceTimersByTime(5_000)
    await expect.poll(leaseOf).toBe(before! + 5_000)
    expect(await second.settle(service.team, id, 1)).toBe(false)
  }
  service.advance(15_001)
  expect(await second.settle(service.team, id, 5_000)).toBe(true)
  end()
  await running
  timers.useRealTimers()
  const done = await service.store.reader.selectFrom('counters').select('subject').execute()
  expect(done.map(row => row.subject)).toEqual(['second'])
})

it('a stop waits at most 12 seconds for a job that does not end, which another process then takes over', async () => {
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const never = {
    endless: {
      async run() {
        begin()
        return new Promise<never>(() => {})
      },
    },
  }
  const jobs = createJobs(service.deps, never)
  const team = (await service.deps.teamOf(service.team))!
  const id = await transact(service.deps, team, scope => jobs.enqueue(scope, { kind: 'endless', payload: {} }))
  await jobs.settle(service.team, id, 1)
  await begun
  const timers = vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let isStopped = false
    const stopped = jobs.stop().then(() => {
      isStopped = true
    })
    await timers.advanceTimersByTimeAsync(11_999)
    expect(isStopped).toBe(false)
    await timers.advanceTimersByTimeAsync(1)
    await stopped
  } finally {
    timers.useRealTimers()
  }
  service.advance(15_001)
  const heir = createJobs(service.deps, { endless: { run: async () => async () => undefined } })
  expect(await heir.settle(service.team, id, 5_000)).toBe(true)
})

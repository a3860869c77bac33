import { DAY_MS } from '@causeway/contract/time'
import { expect, it } from 'vitest'
import type { Store } from '../../platform/db/types.js'
import { lender } from '../../testing/money.js'
import { type TestService, testService } from '../../testing/service.js'
import { nextRun } from './next-run.js'

const START = Date.parse('2026-03-02T15:00:00.000Z')
const END = START + 366 * DAY_MS
/** Times that the clock in Chicago skips and repeats, and one that it does neither. */
const schedules = [
  { type: 'ach.pull.upcoming', cron: '30 2 * * 0,1' },
  { type: 'ach.pull.nightly', cron: '30 1 * * 0,1' },
  { type: 'payments.created.previous_day', cron: '0 8 1 * *' },
]
/** The number of writes after which a process ends, and whether its last write is stored. Repeats. */
const ends = [3, 11, 29, 5, 17, 2, 41, 13, 7, 23].flatMap(writes => [
  { writes, isStored: true },
  { writes: writes + 1, isStored: false },
])

/** Returns a store whose process ends at a write: that write fails, and so do all later ones. */
function mortal(store: Store, { writes, isStored }: (typeof ends)[number], onEnd: () => void): Store {
  let left = writes
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'write') return Reflect.get(target, name, target)
      return async (work: Parameters<Store['write']>[0]) => {
        left -= 1
        if (left > 0) return target.write(work)
        onEnd()
        if (left === 0 && isStored) await target.write(work)
        throw new Error('The process ended')
      }
    },
  })
}

it('Schedules run once at each of their times in a year, whenever the process ends', async () => {
  const first = await testService()
  const bank = lender(first)
  for (const { type, cron } of schedules)
    await bank.must('POST', '/report_schedules', { types: [type], cron, delivery_methods: ['webhook'] })
  let processes = 0
  /** Starts a process. `ended` resolves when it has ended. */
  async function start(): Promise<{ service: TestService; ended: Promise<'ended'> }> {
    const end = ends[processes % ends.length]!
    processes += 1
    let onEnd = () => {}
    const ended = new Promise<'ended'>(resolve => {
      onEnd = () => resolve('ended')
    })
    return { service: await first.again({ store: store => mortal(store, end, onEnd) }), ended }
  }
  let current = await start()
  for (let at = START; at < END; at += 7 * DAY_MS) {
    first.advance(7 * DAY_MS)
    const drain = async () => {
      await current.service.deps.jobs.drain(first.team, 1_000).catch(() => current.ended)
      return 'drained' as const
    }
    while ((await Promise.race([current.ended, drain()])) === 'ended') {
      await current.service.deps.jobs.stop()
      current = await start()
    }
  }
  const rows = await first.store.reader
    .selectFrom('reports')
    .select(['type', 'from_time', 'to_time', 'file'])
    .where('team_id', '=', first.team)
    .orderBy('from_time')
    .execute()
  expect(processes).toBeGreaterThan(30)
  for (const { type, cron } of schedules) {
    const times: number[] = []
    const now = first.deps.clock()
    for (let time = nextRun(cron, START); time <= now; time = nextRun(cron, time)) times.push(time)
    const reports = rows.filter(row => row.type === type)
    expect([type, reports.length]).toEqual([type, times.length])
    expect(reports.every(({ file }) => file !== null)).toBe(true)
    // Each report is of its own period, so none is of the time of another run.
    const periods = new Set(reports.map(({ from_time, to_time }) => `${from_time} ${to_time}`))
    if (type !== 'ach.pull.upcoming') expect(periods.size).toBe(times.length)
  }
}, 120_000)

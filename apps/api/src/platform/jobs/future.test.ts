import { HOUR_MS } from '@causeway/contract/time'
import { beforeEach, expect, it } from 'vitest'
import { type Hooks, startHooks } from '../../testing/hooks.js'
import { findFutureJobs } from './future.js'

let service: Hooks['service']
let receiver: Hooks['receiver']
let bank: Hooks['bank']
let hook: Hooks['hook']
let happens: Hooks['happens']
beforeEach(async () => {
  ;({ service, receiver, bank, hook, happens } = await startHooks())
})

const start = () => service.deps.jobs.start()
const jobs = () =>
  service.store.reader.selectFrom('jobs').select(['id', 'run_at', 'created_at']).orderBy('id').execute()
const kinds = async () =>
  (await service.store.reader.selectFrom('jobs').select('kind').execute()).map(({ kind }) => kind)

it('after the clock ran an hour ahead and the process was killed, jobs run as soon as it starts again', async () => {
  await hook()
  const source = (await bank.source()).id
  const destination = (await bank.debts()).accounts[0]!.id
  await service.settle()
  receiver.calls.length = 0
  service.advance(HOUR_MS)
  await happens()
  await bank.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  expect(await kinds()).toContain('payment.submit')
  service.advance(-HOUR_MS)
  expect(await findFutureJobs(service.store.reader, service.deps.clock())).toMatchObject({ ahead: HOUR_MS })
  await start()
  await expect.poll(() => receiver.calls.length).toBeGreaterThan(0)
  // Once a payment has been submitted, its job follows it.
  await expect.poll(kinds).toContain('payment.follow')
  expect(service.lines.map(line => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 'warn', event: 'future_jobs_moved', jobs: expect.any(Number), ms: HOUR_MS }),
  )
})

it('moved jobs keep the time from their creation to their next run, and pauses of their lanes end in time', async () => {
  await hook()
  await happens()
  const now = service.deps.clock()
  const [job] = await jobs()
  await service.store.write(async tx => {
    await tx
      .updateTable('jobs')
      .set({ created_at: now + HOUR_MS, run_at: now + HOUR_MS + 90_000 })
      .execute()
    await tx
      .updateTable('lanes')
      .set({ paused_until: now + HOUR_MS + 60_000 })
      .execute()
  })
  await start()
  expect(await jobs()).toEqual([{ id: job!.id, created_at: now, run_at: now + 90_000 }])
  const lanes = await service.store.reader.selectFrom('lanes').select('paused_until').execute()
  expect(lanes).toEqual([{ paused_until: now + 60_000 }])
})

it('jobs that were created before now, or only seconds after it, keep their times', async () => {
  await hook()
  await happens()
  const now = service.deps.clock()
  for (const created_at of [now - HOUR_MS, now + 5_000]) {
    await service.store.write(tx =>
      tx
        .updateTable('jobs')
        .set({ created_at, run_at: now + 2 * HOUR_MS })
        .execute(),
    )
    const before = await jobs()
    await start()
    expect(await jobs()).toEqual(before)
    await service.deps.jobs.stop()
  }
})

import { beforeEach, expect, it } from 'vitest'
import { type TestService, testService } from '../../testing/service.js'
import { StoreFault } from '../db/fault.js'
import { type NewJob, transact } from '../scope.js'
import type { JobHandler } from './job.js'
import { createJobs } from './jobs.js'

let service: TestService
beforeEach(async () => {
  service = await testService()
})

const start = (handler: JobHandler) => createJobs(service.deps, { task: handler })
const enqueue = async (more: Partial<NewJob> = {}) => {
  const team = (await service.deps.teamOf(service.team))!
  return transact(service.deps, team, scope =>
    start({ run: never }).enqueue(scope, { kind: 'task', payload: {}, ...more }),
  )
}
const jobOf = (id: string) =>
  service.store.reader.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
const ends = async () => async () => undefined
const never = () => new Promise<never>(() => {})
/** A promise that another part of a test resolves. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}
const fails = async () => {
  throw new Error('own failure')
}
const storeFails = async () => {
  throw new StoreFault('SQLITE_BUSY', null)
}

/** Runs the job in a process that then ends without reporting anything. */
async function kill(id: string): Promise<void> {
  const { open, opened } = gate()
  const jobs = start({
    run() {
      open()
      return never()
    },
  })
  const { claims } = (await jobOf(id))!
  // A process that finds an abandoned job may first delay it, by at most 15 minutes.
  for (let claim = 0; (await jobOf(id))!.claims === claims; claim++) {
    if (claim > 2) throw new Error('The job was not claimed.')
    await jobs.settle(service.team, id, 1)
    service.advance(900_001)
  }
  await opened
}

it("a store's failure neither ends a job nor counts as the job's own failure", async () => {
  const id = await enqueue()
  for (let run = 0; run < 30; run++) {
    await start({ run: storeFails }).drain(service.team, 5_000)
    service.advance(2_001)
    expect(await jobOf(id)).toMatchObject({ state: 'ready', failures: 0, attempts: run + 1 })
  }
  expect(await start({ run: ends }).settle(service.team, id, 5_000)).toBe(true)
})

it('a store failure while the result is saved does not end a job either', async () => {
  const id = await enqueue()
  for (let run = 0; run < 12; run++) {
    await start({ run: async () => storeFails }).drain(service.team, 5_000)
    service.advance(2_001)
  }
  expect(await jobOf(id)).toMatchObject({ state: 'ready', failures: 0 })
})

it('a job whose process was killed nine times is retried after its first failure, with the first delay', async () => {
  const id = await enqueue()
  for (let kills = 0; kills < 9; kills++) await kill(id)
  await start({ run: fails }).drain(service.team, 5_000)
  expect(await jobOf(id)).toMatchObject({ lease_owner: null, failures: 0, takeovers: 9 })
  service.advance(900_000)
  await start({ run: fails }).drain(service.team, 5_000)
  expect(await jobOf(id)).toMatchObject({
    state: 'ready',
    failures: 1,
    takeovers: 0,
    run_at: service.deps.clock() + 1_000,
  })
})

it('a job ends after eight failures of its own in a row', async () => {
  const id = await enqueue()
  for (let run = 1; run <= 8; run++) {
    expect(await jobOf(id)).toMatchObject({ state: 'ready', failures: run - 1 })
    await start({ run: fails }).drain(service.team, 5_000)
    service.advance(600_001)
  }
  expect(await jobOf(id)).toMatchObject({ state: 'dead', failures: 8 })
})

it('a job that ends 20 processes in a row is given up, with its final result, and does not run again', async () => {
  const id = await enqueue()
  for (let kills = 0; kills < 20; kills++) {
    expect(await jobOf(id)).toMatchObject({ state: 'ready' })
    await kill(id)
  }
  let isSaved = false
  let hasRun = false
  const jobs = start({
    async run() {
      hasRun = true
      return ends()
    },
    async exhausted() {
      isSaved = true
      return { again: service.deps.clock() }
    },
  })
  expect(await jobs.settle(service.team, id, 5_000)).toBe(true)
  expect([hasRun, isSaved]).toEqual([false, true])
  expect(await jobOf(id)).toMatchObject({ state: 'dead', last_error: 'TooManyTakeovers', failures: 0 })
})

it('a run that completes or fails without ending its process resets the takeovers', async () => {
  const id = await enqueue()
  for (let kills = 0; kills < 3; kills++) await kill(id)
  expect(await jobOf(id)).toMatchObject({ takeovers: 2 })
  const again = async () => async () => ({ again: service.deps.clock() + 600_000 })
  for (let claim = 0; claim < 2; claim++) {
    await start({ run: again }).drain(service.team, 1_000)
    service.advance(60_000)
  }
  expect(await jobOf(id)).toMatchObject({ takeovers: 0, failures: 0, attempts: 0 })
})

it('a stalled run cannot complete a later run of its own process, even after the job was rescheduled', async () => {
  const done: string[] = []
  const outcomes: string[] = []
  const gates = [gate(), gate()] as const
  const { metrics } = service.deps
  const count = (_kind: string, outcome: string) => {
    outcomes.push(outcome)
    gates[1].open()
  }
  let runs = 0
  const jobs = createJobs(
    { ...service.deps, metrics: { ...metrics, job: count } },
    {
      task: {
        async run() {
          const run = runs++
          gates[run - 1]?.open()
          await gates[run]?.opened
          return async scope => {
            scope.after(() => void done.push(`run ${run}`))
            return undefined
          }
        },
      },
    },
  )
  const id = await enqueue()
  const first = jobs.drain(service.team, 10_000)
  await expect.poll(() => runs).toBe(1)
  service.advance(15_001)
  const other = start({ run: async () => async () => ({ again: service.deps.clock() + 1_000 }) })
  await other.settle(service.team, id, 1)
  await expect.poll(async () => (await jobOf(id))?.attempts).toBe(0)
  service.advance(1_000)
  await Promise.all([first, jobs.drain(service.team, 10_000)])
  expect(outcomes).toEqual(['lost', 'done'])
  expect(done).toEqual(['run 1'])
})

it('a final result that cannot be saved still ends the job', async () => {
  const id = await enqueue()
  const jobs = start({ attempts: 1, run: fails, exhausted: fails })
  expect(await jobs.settle(service.team, id, 5_000)).toBe(true)
  expect(await jobOf(id)).toMatchObject({ state: 'dead', last_error: 'Error' })
})

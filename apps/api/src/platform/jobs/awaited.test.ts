import { beforeEach, expect, it } from 'vitest'
import { counter } from '../../testing/queries/counting.js'
import { testService } from '../../testing/service.js'
import { batchWrites, type Scope, transact } from '../scope.js'
import { createJobs } from './jobs.js'

const counting = counter()
const service = await testService({ store: counting.store })

/** The processes that ran a job, each with the data that it received. */
const ran: [string, unknown][] = []
beforeEach(() => {
  ran.length = 0
})
/** Creates another process's job runner. */
const processOf = (name: string) =>
  createJobs(service.deps, {
    note: {
      async run(_scope, _payload, _attempt, facts) {
        ran.push([name, facts])
        return async () => undefined
      },
    },
  })
const note = { kind: 'note', payload: {}, awaited: true, facts: 'known' } as const
const inTransaction = async <T>(work: (scope: Scope) => Promise<T>) =>
  transact(service.deps, (await service.deps.teamOf(service.team))!, work)

it("an awaited job costs only its insert and its end, and its handler receives its creator's facts", async () => {
  const jobs = processOf('maker')
  const team = (await service.deps.teamOf(service.team))!
  counting.taken()
  const id = await transact(service.deps, team, scope => jobs.enqueue(scope, note))
  expect(await jobs.settle(service.team, id, 5_000)).toBe(true)
  expect(counting.taken()).toBe(2)
  expect(ran).toEqual([['maker', 'known']])
})

it('an awaited job whose creator died is taken over after its lease ends, and runs once', async () => {
  const maker = processOf('maker')
  const other = processOf('other')
  const id = await inTransaction(scope => maker.enqueue(scope, note))
  expect(await other.settle(service.team, id, 1)).toBe(false)
  service.advance(15_001)
  expect(await other.settle(service.team, id, 5_000)).toBe(true)
  expect(await maker.settle(service.team, id, 5_000)).toBe(true)
  expect(ran).toEqual([['other', undefined]])
})

it('an awaited job that its creator settles late is claimed like any other job', async () => {
  const maker = processOf('maker')
  const id = await inTransaction(scope => maker.enqueue(scope, note))
  service.advance(15_001)
  expect(await maker.settle(service.team, id, 5_000)).toBe(true)
  expect(ran).toEqual([['maker', undefined]])
})

it("an awaited job that its creator never settles runs with the team's other jobs", async () => {
  const maker = processOf('maker')
  await inTransaction(scope => maker.enqueue(scope, note))
  await maker.drain(service.team, 5_000)
  expect(ran).toEqual([['maker', 'known']])
})

it('an awaited job in a transaction that is rolled back never runs', async () => {
  const maker = processOf('maker')
  let id = ''
  const failed = inTransaction(async scope => {
    id = await maker.enqueue(scope, note)
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  await maker.settle(service.team, id, 5_000)
  expect(ran).toEqual([])
})

it('jobs and events that are written together take one statement each', async () => {
  const jobs = processOf('maker')
  const team = (await service.deps.teamOf(service.team))!
  counting.taken()
  const ids = await transact(service.deps, team, outer =>
    batchWrites(outer, scope => Promise.all([1, 2, 3].map(() => jobs.enqueue(scope, note)))),
  )
  expect(counting.taken()).toBe(1)
  for (const id of ids) expect(await jobs.settle(service.team, id, 5_000)).toBe(true)
  expect(ran).toHaveLength(3)
})

it('keeps the job that is due first if several jobs with the same key are written together', async () => {
  const jobs = processOf('maker')
  const { created_at: now } = await service.store.reader
    .selectFrom('teams')
    .select('created_at')
    .executeTakeFirstOrThrow()
  const [later, sooner] = [now + 86_400_000, now + 60_000]
  await inTransaction(outer =>
    batchWrites(outer, async scope => {
      for (const at of [later, sooner]) await jobs.enqueue(scope, { kind: 'note', payload: {}, at, unique: 'one' })
    }),
  )
  const rows = await service.store.reader.selectFrom('jobs').select('run_at').where('unique_key', '=', 'one').execute()
  expect(rows).toEqual([{ run_at: sooner }])
})

it('writes more jobs than fit in one statement', async () => {
  const jobs = processOf('maker')
  const at = Date.parse('2027-01-01T00:00:00Z')
  await inTransaction(outer =>
    batchWrites(outer, scope =>
      Promise.all(Array.from({ length: 5_000 }, () => jobs.enqueue(scope, { kind: 'later', payload: {}, at }))),
    ),
  )
  const { count } = await service.store.reader
    .selectFrom('jobs')
    .select(query => query.fn.countAll().as('count'))
    .where('kind', '=', 'later')
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(5_000)
})

import { OutsideError } from '@causeway/connector/ports/outside-error'
import { expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { createJobs } from './jobs.js'
import { newJob } from './statements.js'

let hangs: string | null = null
let hopeless: boolean | null = null
let asked = 0
let release: (() => void) | null = null
const service = await testService({
  ports: ports => ({
    ...ports,
    network: {
      ...ports.network,
      async balance(call) {
        asked++
        if (hopeless !== null) throw new OutsideError('no', { outcome: 'nothing', retryable: !hopeless })
        return ports.network.balance(call)
      },
    },
    rail: {
      ...ports.rail,
      async submit(call) {
        if (call.team_id === hangs)
          await new Promise<void>(resolve => {
            release = resolve
          })
        return ports.rail.submit(call)
      },
    },
  }),
})

it('runs an immediate job without delay, even for a team whose clock is ahead', async () => {
  const bank = lender(service)
  await bank.must('POST', '/simulate/clock', { advance: 'P30D' })
  expect((await bank.debts()).accounts).toHaveLength(4)
})

it("a team does not wait for another team's job", async () => {
  const slow = await service.anotherTeam()
  const bank = lender(service, slow.key)
  const source = (await bank.source()).id
  await bank.must('PATCH', '/team', { ach_destinations: true })
  const destination = (await bank.source('987654321')).id
  await bank.must('POST', '/payments', { amount: 100, source, destination, description: 'x' })
  hangs = slow.team
  const hanging = service.app.deps.jobs.drain(slow.team, 10_000).then(() => 'the other team')
  await expect.poll(() => release).not.toBeNull()
  const own = lender(service)
    .must('POST', '/simulate/clock', { advance: 'P1D' })
    .then(() => 'this team')
  expect(await Promise.race([own, hanging])).toBe('this team')
  release!()
  await hanging
})

it.each([
  ['what can never be answered is given up at once', true, 1],
  ['what may be answered later is asked again, five times', false, 5],
])('%s', async (_what, never, times) => {
  const bank = lender(service)
  const { accounts } = await bank.debts()
  const balances = `/accounts/${accounts[0]!.id}/balances`
  hopeless = never
  asked = 0
  const { id } = await bank.must('POST', balances, {})
  for (let tries = 0; tries < 6; tries++) {
    await service.settle()
    service.advance(60_000)
  }
  hopeless = null
  expect(asked).toBe(times)
  expect(await bank.must('GET', `${balances}/${id}`)).toMatchObject({ status: 'failed', error: { code: 20001 } })
})

it('a job of a kind that this version does not support is left for a newer process', async () => {
  const { store, deps, team } = service
  const now = deps.clock()
  const row = newJob(
    { deps, team: { id: team } },
    { kind: 'kind.unknown', payload: {} },
    { id: 'job_of_a_newer_version', now, run_at: now - 1, lease: null },
  )
  await store.write(tx => tx.insertInto('jobs').values(row).execute())
  await deps.jobs.settle(service.team, row.id, 1)
  const kept = await store.reader.selectFrom('jobs').selectAll().where('id', '=', row.id).executeTakeFirst()
  expect(kept).toMatchObject({ state: 'ready', attempts: 0, lease_owner: null })
  await store.write(tx => tx.deleteFrom('jobs').where('id', '=', row.id).execute())
})

it("slow jobs of one team don't block another team's job", async () => {
  const { store, deps } = service
  const slow = (await service.anotherTeam()).team
  const other = (await service.anotherTeam()).team
  const waiting: (() => void)[] = []
  const done: string[] = []
  const jobs = createJobs(deps, {
    'test.slow': {
      async run({ team }) {
        if (team.id === slow) await new Promise<void>(resolve => waiting.push(resolve))
        return async () => void done.push(team.id)
      },
    },
  })
  const enqueue = (team: string, count: number) =>
    store.write(async db => {
      const found = await deps.teamOf(team)
      const scope = { deps, team: found!, now: deps.clock(), db, after() {} }
      for (let number = 0; number < count; number++) await jobs.enqueue(scope, { kind: 'test.slow', payload: {} })
    })
  await enqueue(slow, 20)
  await jobs.start()
  await expect.poll(() => waiting.length).toBe(16)
  await enqueue(other, 1)
  await expect.poll(() => done, { timeout: 5_000 }).toEqual([other])
  for (const finish of waiting) finish()
  await expect.poll(() => waiting.length).toBe(20)
  for (const finish of waiting) finish()
  await expect.poll(() => done.length).toBe(21)
  await jobs.stop()
})

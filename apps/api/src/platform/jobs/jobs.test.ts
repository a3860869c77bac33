import { afterAll, beforeAll, expect, it } from 'vitest'
import { OutsideError } from '../../network/ports.js'
import { lender } from '../../testing/money.js'
import { type TestService, testService } from '../../testing/service.js'
import { writeJson } from '../db/json.js'
import { createClaims } from './claims.js'

let service: TestService
let hangs: string | null = null
let hopeless: boolean | null = null
let asked = 0
let release: (() => void) | null = null
beforeAll(async () => {
  service = await testService({
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
})
afterAll(() => service.stop())

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
  const hanging = service.app.deps.jobs.drain(slow.team, 10_000)
  await expect.poll(() => release).not.toBeNull()
  const started = performance.now()
  await lender(service).must('POST', '/simulate/clock', { advance: 'P1D' })
  expect(performance.now() - started).toBeLessThan(2_000)
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
  const row = {
    id: 'job_of_a_newer_version',
    team_id: team,
    kind: 'kind.unknown',
    payload: writeJson({}),
    state: 'ready' as const,
    run_at: deps.clock() - 1,
    clocked: 0,
    lease_owner: null,
    lease_until: null,
    attempts: 0,
    last_error: null,
    unique_key: null,
    lane: null,
    created_at: deps.clock(),
  }
  await store.write(tx => tx.insertInto('jobs').values(row).execute())
  await deps.jobs.settle(service.team, row.id, 1)
  const kept = await store.reader.selectFrom('jobs').selectAll().where('id', '=', row.id).executeTakeFirst()
  expect(kept).toMatchObject({ state: 'ready', attempts: 0, lease_owner: null })
  await store.write(tx => tx.deleteFrom('jobs').where('id', '=', row.id).execute())
})

it("a team with hundreds of due jobs leaves room for another team's jobs", async () => {
  const { store, deps } = service
  const flood = (await service.anotherTeam()).team
  const other = (await service.anotherTeam()).team
  const row = (team_id: string, number: number) => ({
    id: `job_fair_${team_id}_${number}`,
    team_id,
    kind: 'kind',
    payload: writeJson({}),
    state: 'ready' as const,
    // All of the flooding team's jobs are due before the other team's job.
    run_at: deps.clock() - 1_000 + (team_id === flood ? number : 999),
    clocked: 0,
    lease_owner: null,
    lease_until: null,
    attempts: 0,
    last_error: null,
    unique_key: null,
    lane: null,
    created_at: deps.clock(),
  })
  const rows = [...Array.from({ length: 300 }, (_, number) => row(flood, number)), row(other, 0)]
  await store.write(tx => tx.insertInto('jobs').values(rows).execute())
  const { claim } = createClaims(deps, ['kind'], 'me', 10_000)
  const first = await claim(20, team => (team === flood ? 16 : 20))
  expect(first.filter(each => each.team_id === flood)).toHaveLength(16)
  expect(first.filter(each => each.team_id === other)).toHaveLength(1)
  // The oldest jobs come first.
  expect(first.map(each => each.id)).toContain(rows[0]!.id)
  expect(await claim(20, team => (team === flood ? 0 : 20))).toEqual([])
  await store.write(tx => tx.deleteFrom('jobs').where('team_id', 'in', [flood, other]).execute())
})

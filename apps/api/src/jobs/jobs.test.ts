import { afterAll, beforeAll, expect, it } from 'vitest'
import { lender } from '../testing/money.js'
import { type TestService, testService } from '../testing/service.js'

let service: TestService
let hangs: string | null = null
let release: (() => void) | null = null
beforeAll(async () => {
  service = await testService({
    ports: ports => ({
      ...ports,
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

it('what is asked at once is asked at once, also for a team whose clock is ahead', async () => {
  const bank = lender(service)
  await bank.must('POST', '/simulate/clock', { advance: 'P30D' })
  expect((await bank.debts()).accounts).toHaveLength(4)
})

it('a team does not wait for the job of another one', async () => {
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

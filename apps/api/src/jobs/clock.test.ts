import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ports } from '../ports.js'
import { moveClock } from '../teams/store.js'
import { lender } from '../testing/money.js'
import { type TestService, testService } from '../testing/service.js'

const HOUR = 3_600_000
let asked = () => {}
const isAsked = new Promise<void>(resolve => {
  asked = resolve
})
let answer = () => {}
const mayAnswer = new Promise<void>(resolve => {
  answer = resolve
})
let service: TestService
beforeAll(async () => {
  const ports = (given: Ports): Ports => ({
    ...given,
    rail: {
      ...given.rail,
      async submit(call) {
        asked()
        await mayAnswer
        return given.rail.submit(call)
      },
    },
  })
  service = await testService({ ports })
})
afterAll(() => service.stop())

it('a job that comes back while the clock is moved comes back at its time', async () => {
  const bank = lender(service)
  const source = (await bank.source()).id
  const destination = (await bank.debts()).accounts[0]!.id
  await bank.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  const settled = service.settle()
  await isAsked
  let began = () => {}
  const moving = new Promise<void>(resolve => {
    began = resolve
  })
  // As `/simulate/clock` does, but that its commit takes a moment, in which the job is over.
  const moved = service.store.write(async tx => {
    await moveClock(tx, service.team, HOUR)
    await tx
      .updateTable('jobs')
      .set({ run_at: sql<number>`run_at - ${HOUR}` })
      .where('clocked', '=', 1)
      .execute()
    began()
    answer()
    await new Promise(resolve => setTimeout(resolve, 500))
  })
  await moving
  await moved
  await settled
  const [job] = await service.store.reader
    .selectFrom('jobs')
    .select('run_at')
    .where('kind', '=', 'payment.follow')
    .execute()
  expect(new Date(Number(job?.run_at) + HOUR).toISOString()).toBe('2026-03-02T16:30:00.000Z')
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { lender } from '../testing/money.js'
import { type TestService, testService } from '../testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.stop())

it('what is asked at once is asked at once, also for a team whose clock is ahead', async () => {
  const bank = lender(service)
  await bank.must('POST', '/simulate/clock', { advance: 'P30D' })
  expect((await bank.debts()).accounts).toHaveLength(4)
})

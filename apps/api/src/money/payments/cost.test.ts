import { expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { counter } from '../../testing/queries/counting.js'
import { testService } from '../../testing/service.js'

const counting = counter()
const service = await testService({ store: counting.store })
const bank = lender(service)

/** Another rail than the sandbox gets the names of the accounts' holders, which are read in one statement. */
const more = service.deps.railProvider === 'sandbox' ? 0 : 1

it('creating a payment with a key takes 11 statements, including its event; submitting it takes at most 12', async () => {
  const source = (await bank.source()).id
  const good = { amount: 5_000, source, destination: (await bank.debts()).accounts[0]!.id, description: 'x' }
  await service.settle()
  counting.taken()
  const made = await bank.call('POST', '/payments', good, { 'idempotency-key': 'cost' })
  expect([made.status, counting.taken()]).toEqual([200, 11 + more])
  await service.settle()
  expect(counting.taken()).toBeLessThanOrEqual(12 + more)
})

import { describe, expect, it } from 'vitest'
import { errorOf } from '../../testing/contract/cases.js'
import { LOAN, someone } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'

const service = await testService()

describe("a balance transfer's terms", () => {
  it.each([
    [{ suggestion: 'smallest' }, 'balance_transfer.suggestion'],
    [{ loan_apr: -0.01 }, 'balance_transfer.loan_apr'],
    [{ loan_apr: 100.01 }, 'balance_transfer.loan_apr'],
    [{ loan_apr: 9.999 }, 'balance_transfer.loan_apr must have at most two decimals.'],
    [{ loan_apr: '9.99' }, 'balance_transfer.loan_apr must be a number.'],
  ])('are rejected for %j, and the error names the field', async (given, message) => {
    const entity_id = await someone(service, '+15125550110')
    const balance_transfer = { ...LOAN, ...given }
    const made = await service.call('POST', '/elements/token', {
      type: 'balance_transfer',
      entity_id,
      balance_transfer,
    })
    expect([made.status, errorOf(made.body).message]).toEqual([400, expect.stringContaining(message)])
  })
})

import { describe, expect, it } from 'vitest'
import { atAllocation, LOAN } from '../../../testing/frame.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

/** Continues to the allocation of a loan with every kind of limit, to a large and a small account. */
async function withLimits() {
  const limits = { minimum_payment: 10_000, maximum_payment: 300_000, residual_amount_max: 400_000 }
  const { person, accounts } = await atAllocation(service, '+15125550110', { loan_amount: 500_000, ...limits })
  const [large, small] = accounts as [string, string]
  return { person, large, small }
}

describe('allocation', () => {
  it('starts with the suggested amounts', async () => {
    const { person, large, small } = await withLimits()
    expect(person.data('allocation')).toMatchObject({
      allocations: { [large]: 300_000, [small]: 200_000 },
      suggestion: { [large]: 300_000, [small]: 200_000 },
      shortfall: 0,
    })
  })

  it('rejects each broken rule with a correct value', async () => {
    const { person, large, small } = await withLimits()
    for (const [allocations, errors] of [
      [
        {},
        [
          [null, 'nothing_allocated', {}],
          [null, 'residual_too_large', { limit: 400_000, needed: 100_000 }],
        ],
      ],
      [{ [large]: 9_999, [small]: 290_000 }, [[large, 'below_minimum', { limit: 10_000 }]]],
      [{ [large]: 300_001 }, [[large, 'above_maximum', { limit: 300_000 }]]],
      [{ [small]: 295_061 }, [[small, 'above_balance', { limit: 295_060, over: 1 }]]],
      [{ [large]: 300_000, [small]: 200_001 }, [[null, 'exceeds_loan', { limit: 500_000, over: 1 }]]],
      [{ [large]: 99_999 }, [[null, 'residual_too_large', { limit: 400_000, needed: 1 }]]],
      [{ [large]: 100_000.5 }, [[large, 'not_an_amount', {}]]],
      [{ [large]: -100_000 }, [[large, 'not_an_amount', {}]]],
      [{ acc_unknown: 200_000 }, [['acc_unknown', 'unknown_account', {}]]],
    ] as const) {
      await person.send({ action: 'review', allocations })
      expect([person.view.step, person.view.errors]).toEqual([
        'allocation',
        errors.map(([field, code, values]) => ({ field, code, values })),
      ])
    }
  })

  it('shows the amounts for review, and keeps them if the person goes back', async () => {
    const { person, large, small } = await withLimits()
    await person.send({ action: 'review', allocations: { [large]: 100_000 } })
    expect(person.data('review')).toMatchObject({
      allocations: { [large]: 100_000 },
      authorization: { id: 'payments', version: expect.any(String) },
    })
    await person.send({ action: 'back' })
    expect(person.data('allocation').allocations).toEqual({ [large]: 100_000, [small]: 0 })
    await person.send({ action: 'back' })
    expect(person.view.step).toBe('selection')
  })

  it.each([
    [undefined, 'highest_rate'],
    ['highest_rate', 'highest_rate'],
    ['highest_balance', 'highest_balance'],
    ['lowest_balance', 'lowest_balance'],
  ] as const)('with the suggestion %s, the first amounts pay the %s first', async (suggestion, strategy) => {
    const given = suggestion && { suggestion }
    const { person, accounts } = await atAllocation(service, '+15125550101', { loan_amount: 600_000, ...given })
    const { terms: _, ...data } = person.data('allocation')
    const measure = (id: string) => {
      const { apr, balance } = data.accounts.find(account => account.id === id)!
      return strategy === 'highest_rate' ? apr! : strategy === 'highest_balance' ? balance! : -balance!
    }
    expect(data).toMatchObject({ strategy, loan_apr: null, allocations: data.suggestion })
    const paid = accounts.filter(id => data.suggestion[id]! > 0)
    const unpaid = accounts.filter(id => !paid.includes(id))
    expect(unpaid.length).toBeGreaterThan(0)
    expect(Math.min(...paid.map(measure))).toBeGreaterThanOrEqual(Math.max(...unpaid.map(measure)))
  })

  it("shows the person the loan's rate, and still accepts the terms of sessions created without one", async () => {
    const { person, session } = await atAllocation(service, '+15125550110', { ...LOAN, loan_apr: 11.99 })
    expect(person.data('allocation').loan_apr).toBe(11.99)
    await service.store.write(async tx => {
      const row = await tx.selectFrom('sessions').selectAll().where('id', '=', session).executeTakeFirstOrThrow()
      const config = JSON.parse(row.config)
      delete config.terms.suggestion
      delete config.terms.loan_apr
      await tx
        .updateTable('sessions')
        .set({ config: JSON.stringify(config) })
        .where('id', '=', session)
        .execute()
    })
    await person.look()
    expect(person.data('allocation')).toMatchObject({ strategy: 'highest_rate', loan_apr: null })
  })

  it('accepts more than the balance if the terms allow it', async () => {
    const { person, accounts } = await atAllocation(service, '+15125550110', { ...LOAN, allow_over_balance: true })
    await person.send({ action: 'review', allocations: { [accounts[1]!]: 400_000 } })
    expect(person.view.step).toBe('review')
  })
})

import { problemsOf, total } from '@causeway/contract/allocations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitEvenly } from './split-evenly.js'

const terms = fc
  .record({
    loan_amount: fc.integer({ min: 100, max: 5_000_000 }),
    minimum_payment: fc.integer({ min: 100, max: 100_000 }),
    maximum_payment: fc.integer({ min: 100, max: 5_000_000 }),
    allow_over_balance: fc.boolean(),
  })
  .map(t => ({
    ...t,
    residual_amount_max: t.loan_amount,
    maximum_payment: Math.max(t.minimum_payment, t.maximum_payment),
  }))
const accounts = fc
  .array(fc.option(fc.integer({ min: 0, max: 2_000_000 })), { minLength: 1, maxLength: 8 })
  .map(balances => balances.map((balance, i) => ({ id: `acc_${i}`, balance })))

test("an even split never breaks an account's rules or exceeds the loan", () => {
  fc.assert(
    fc.property(accounts, terms, (list, t) => {
      const found = problemsOf(splitEvenly(list, t), list, t)
      expect(found.filter(problem => problem.code !== 'nothing_allocated')).toEqual([])
    }),
  )
})

test('all accounts below their limit get the same amount, to the cent', () => {
  const t = {
    loan_amount: 100_001,
    minimum_payment: 100,
    maximum_payment: 90_000,
    residual_amount_max: 0,
    allow_over_balance: false,
  }
  const split = splitEvenly(
    [
      { id: 'a', balance: 10_000 },
      { id: 'b', balance: 80_000 },
      { id: 'c', balance: 80_000 },
    ],
    t,
  )
  expect(split).toEqual({ a: 10_000, b: 45_001, c: 45_000 })
  expect(total(split)).toBe(t.loan_amount)
})

test('a loan that is too small for all accounts goes to the first ones', () => {
  const t = {
    loan_amount: 10_000,
    minimum_payment: 6_000,
    maximum_payment: 10_000,
    residual_amount_max: 10_000,
    allow_over_balance: false,
  }
  expect(
    splitEvenly(
      [
        { id: 'a', balance: 9_000 },
        { id: 'b', balance: 9_000 },
      ],
      t,
    ),
  ).toEqual({ a: 9_000, b: 0 })
})

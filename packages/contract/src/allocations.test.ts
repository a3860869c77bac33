import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Allocations,
  ceiling,
  type Debt,
  feasibleLoan,
  interestSaved,
  problemsOf,
  shortfall,
  suggestAllocations,
  suggestions,
  type Terms,
  total,
} from './allocations.js'

const terms = (over: Partial<Terms> = {}): Terms => ({
  loan_amount: 500_000,
  minimum_payment: 10_000,
  maximum_payment: 300_000,
  residual_amount_max: 500_000,
  allow_over_balance: false,
  ...over,
})
const card: Debt = { id: 'acc_card', balance: 120_000, apr: 26 }
const auto: Debt = { id: 'acc_auto', balance: 450_000, apr: 7.9 }
const unknown: Debt = { id: 'acc_unknown', balance: null, apr: null }

const codes = (allocations: Allocations, accounts: Debt[], over: Partial<Terms> = {}) =>
  problemsOf(allocations, accounts, terms(over)).map(problem => problem.code)

describe('ceiling', () => {
  it('is the balance if that is the smallest limit', () => expect(ceiling(card, terms())).toBe(120_000))
  it('is maximum_payment if the balance is larger', () => expect(ceiling(auto, terms())).toBe(300_000))
  it('is the loan if that is the smallest limit', () =>
    expect(ceiling(auto, terms({ loan_amount: 90_000 }))).toBe(90_000))
  it('is maximum_payment for an unknown balance', () => expect(ceiling(unknown, terms())).toBe(300_000))
  it('exceeds the balance if the terms allow it', () =>
    expect(ceiling(card, terms({ allow_over_balance: true }))).toBe(300_000))
  it('is 0 if the balance is one cent below the minimum, and the balance if it equals it', () => {
    expect(ceiling({ id: 'acc_a', balance: 9_999 }, terms())).toBe(0)
    expect(ceiling({ id: 'acc_a', balance: 10_000 }, terms())).toBe(10_000)
  })
})

describe('suggest', () => {
  const loan = (loan_amount: number) => terms({ loan_amount })
  const debt = (id: string, balance: number | null, apr: number | null): Debt => ({ id, balance, apr })

  it('pays the highest rate first, so a card at 26 % comes before an auto loan at 7.9 %', () =>
    expect(suggestAllocations([auto, card], loan(200_000), 'highest_rate')).toEqual({
      acc_card: 120_000,
      acc_auto: 80_000,
    }))

  it('pays an unknown rate last, and 0 % before it', () =>
    expect(
      suggestAllocations(
        [debt('acc_a', 90_000, null), debt('acc_b', 20_000, 0), debt('acc_c', 20_000, 5)],
        loan(50_000),
        'highest_rate',
      ),
    ).toEqual({ acc_c: 20_000, acc_b: 20_000, acc_a: 10_000 }))

  it('breaks ties between rates by higher balance, then by id', () => {
    const three = [debt('acc_c', 60_000, 20), debt('acc_b', 50_000, 20), debt('acc_a', 50_000, 20)]
    expect(suggestAllocations(three, loan(110_000), 'highest_rate')).toEqual({ acc_c: 60_000, acc_a: 50_000, acc_b: 0 })
    expect(suggestAllocations(three.slice(0, 2), loan(60_000), 'highest_rate')).toEqual({ acc_c: 60_000, acc_b: 0 })
  })

  it('pays the highest balance first if chosen', () =>
    expect(suggestAllocations([card, auto], loan(400_000), 'highest_balance')).toEqual({
      acc_auto: 300_000,
      acc_card: 100_000,
    }))

  it('pays the lowest balance first if chosen, and an unknown one last', () =>
    expect(suggestAllocations([unknown, auto, card], loan(200_000), 'lowest_balance')).toEqual({
      acc_card: 120_000,
      acc_auto: 80_000,
      acc_unknown: 0,
    }))

  it('leaves an account at 0 if the remaining amount is below the minimum', () =>
    expect(suggestAllocations([auto, card], loan(125_000), 'highest_rate')).toEqual({ acc_card: 120_000, acc_auto: 0 }))

  it('pays an unknown balance up to maximum_payment', () =>
    expect(suggestAllocations([unknown, card], terms(), 'highest_balance')).toEqual({
      acc_card: 120_000,
      acc_unknown: 300_000,
    }))
})

describe('interestSaved', () => {
  it('sums each amount times the difference between the rates, in cents', () =>
    expect(interestSaved({ acc_card: 100_000, acc_auto: 50_000 }, [card, auto], 9.9)).toBe(15_100))

  it('rounds to a whole cent', () => expect(interestSaved({ acc_card: 101 }, [card], 9.99)).toBe(16))

  it('is 0, not negative, if the loan costs more', () =>
    expect(interestSaved({ acc_auto: 100_000 }, [auto], 12)).toBe(0))

  it('leaves out accounts without a known rate, and is null if no other is paid', () => {
    expect(interestSaved({ acc_card: 100_000, acc_unknown: 100_000 }, [card, unknown], 10)).toBe(16_000)
    expect(interestSaved({ acc_unknown: 100_000, acc_card: 0 }, [card, unknown], 10)).toBeNull()
  })
})

describe('problems', () => {
  it('accepts amounts exactly at every limit', () => {
    const exact = { minimum_payment: 120_000, maximum_payment: 300_000, loan_amount: 420_000, residual_amount_max: 0 }
    expect(codes({ acc_card: 120_000, acc_auto: 300_000 }, [card, auto], exact)).toEqual([])
  })

  it.each([
    ['one cent over maximum_payment', { acc_auto: 300_001 }, 'above_maximum'],
    ['one cent over the balance', { acc_card: 120_001 }, 'above_balance'],
    ['one cent under minimum_payment', { acc_card: 9_999 }, 'below_minimum'],
    ['a fraction of a cent', { acc_card: 10_000.5 }, 'not_an_amount'],
    ['a negative amount', { acc_card: -1 }, 'not_an_amount'],
    ['a value that is not a number', { acc_card: Number.NaN }, 'not_an_amount'],
    ['an account that was not offered', { acc_other: 20_000 }, 'unknown_account'],
  ] as [string, Allocations, string][])('rejects %s', (_, allocations, code) =>
    expect(codes(allocations, [card, auto])).toEqual([code]),
  )

  it('rejects a selection of zeros', () => expect(codes({ acc_card: 0 }, [card])).toEqual(['nothing_allocated']))

  it('reports by how much the total exceeds the loan', () =>
    expect(problemsOf({ acc_card: 100_000, acc_auto: 100_001 }, [card, auto], terms({ loan_amount: 200_000 }))).toEqual(
      [{ code: 'exceeds_loan', limit: 200_000, over: 1 }],
    ))

  it('reports how much more must be allocated if too much remains', () =>
    expect(
      problemsOf({ acc_card: 100_000 }, [card], terms({ loan_amount: 150_000, residual_amount_max: 49_999 })),
    ).toEqual([{ code: 'residual_too_large', limit: 49_999, needed: 1 }]))

  it('allows an amount above the balance if the terms allow it or the balance is unknown', () => {
    expect(codes({ acc_card: 200_000 }, [card], { allow_over_balance: true })).toEqual([])
    expect(codes({ acc_unknown: 300_000 }, [unknown])).toEqual([])
  })
})

describe('shortfall', () => {
  it('is 0 if the accounts can take the required amount', () =>
    expect(shortfall([card, auto], terms({ loan_amount: 420_000, residual_amount_max: 0 }))).toBe(0))

  it('is the missing amount if they cannot', () =>
    expect(shortfall([card], terms({ loan_amount: 200_000, residual_amount_max: 79_999 }))).toBe(1))

  it('is the minimum if there is no account to pay', () => expect(shortfall([], terms())).toBe(10_000))

  it('detects that two accounts can be too many even if one is too few', () => {
    const twins = ['acc_a', 'acc_b'].map(id => ({ id, balance: 10_000 }))
    expect(shortfall(twins, terms({ loan_amount: 15_000, residual_amount_max: 0 }))).toBe(5_000)
  })
})

describe('for any accounts and terms', () => {
  const anyTerms = fc
    .record({ loan: fc.integer({ min: 1, max: 60 }), min: fc.integer({ min: 1, max: 30 }), max: fc.nat(40) })
    .chain(({ loan, min, max }) =>
      fc.record({
        loan_amount: fc.constant(loan),
        minimum_payment: fc.constant(min),
        maximum_payment: fc.constant(Math.max(min, max)),
        residual_amount_max: fc.nat(loan),
        allow_over_balance: fc.boolean(),
      }),
    )
  const anyAccounts = fc
    .array(fc.record({ balance: fc.option(fc.nat(50)), apr: fc.option(fc.nat(3)) }), { maxLength: 3 })
    .map(debts => debts.map((debt, index) => ({ id: `acc_${index}`, ...debt })))
  const anySuggestion = fc.constantFrom(...suggestions)

  it('the suggestion follows every rule except the residual when the suggestion is small', () =>
    fc.assert(
      fc.property(anyAccounts, anyTerms, anySuggestion, (accounts, any, order) => {
        const left = problemsOf(suggestAllocations(accounts, any, order), accounts, any).map(problem => problem.code)
        expect(left.filter(code => code !== 'residual_too_large' && code !== 'nothing_allocated')).toEqual([])
      }),
    ))

  it('the suggestion does not depend on the order of the accounts', () =>
    fc.assert(
      fc.property(anyAccounts, anyTerms, anySuggestion, (accounts, any, order) => {
        expect(suggestAllocations([...accounts].reverse(), any, order)).toEqual(
          suggestAllocations(accounts, any, order),
        )
      }),
    ))

  it('a confirmable selection never exceeds the loan and never leaves more than allowed', () =>
    fc.assert(
      fc.property(
        anyAccounts,
        anyTerms,
        fc.array(fc.nat(60), { minLength: 3, maxLength: 3 }),
        (accounts, any, wanted) => {
          const allocations = Object.fromEntries(accounts.map((account, index) => [account.id, wanted[index] ?? 0]))
          if (problemsOf(allocations, accounts, any).length > 0) return
          expect(total(allocations)).toBeLessThanOrEqual(any.loan_amount)
          expect(any.loan_amount - total(allocations)).toBeLessThanOrEqual(any.residual_amount_max)
          for (const account of accounts) expect(allocations[account.id]).toBeLessThanOrEqual(ceiling(account, any))
        },
      ),
    ))

  it('the feasible loan is the largest one that can be confirmed, and 0 if there is none', () =>
    fc.assert(
      fc.property(anyAccounts, anyTerms, (accounts, any) => {
        const feasible = feasibleLoan(accounts, any)
        const fits = (loan_amount: number) => {
          const maximum_payment = Math.min(any.maximum_payment, loan_amount)
          return shortfall(accounts, { ...any, maximum_payment, loan_amount }) === 0
        }
        if (feasible > 0) expect(fits(feasible)).toBe(true)
        if (feasible < any.loan_amount) expect(fits(feasible + 1)).toBe(false)
      }),
    ))

  it('the shortfall is 0 if and only if some selection can be confirmed', () =>
    fc.assert(
      fc.property(anyAccounts, anyTerms, (accounts, any) => {
        expect(shortfall(accounts, any) === 0).toBe(someSelection(accounts, any))
      }),
      { numRuns: 300 },
    ))

  it('any amount that JSON can represent is either whole cents or rejected', () =>
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer()), amount => {
        const ok = problemsOf({ acc_card: amount }, [card], terms()).every(problem => problem.code !== 'not_an_amount')
        expect(ok).toBe(Number.isSafeInteger(amount) && amount >= 0)
      }),
    ))
})

/** True if some set of amounts satisfies the terms. Tries every possible sum of the accounts' amounts. */
function someSelection(accounts: Debt[], any: Terms): boolean {
  let sums = new Set([0])
  for (const account of accounts) {
    const next = new Set(sums)
    for (const sum of sums)
      for (let amount = any.minimum_payment; amount <= ceiling(account, any); amount += 1) next.add(sum + amount)
    sums = next
  }
  return [...sums].some(sum => sum > 0 && sum <= any.loan_amount && any.loan_amount - sum <= any.residual_amount_max)
}

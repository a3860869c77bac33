import { type PaymentStatus, paymentStatuses } from '@causeway/contract/resources/payment'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statusRules } from '../payments/payment.js'
import { findFaults, type LedgerPayment, position, postingsBetween } from './ledger.js'

const paid = (status: PaymentStatus, more: Partial<LedgerPayment> = {}): LedgerPayment => ({
  status,
  amount: 5_000,
  fee: 100,
  source: 'acc_source',
  destination: 'acc_card',
  reversal: null,
  ...more,
})
const reversal = (direction: 'debit' | 'credit', target: string | null, amount = 5_000) => ({
  direction,
  target,
  amount,
  status: 'pending',
})
const at = (payment: LedgerPayment) => Object.fromEntries(position(payment))

describe("a payment's money position", () => {
  it('sums to zero for any payment', () => {
    const any = fc.record({
      status: fc.constantFrom(...paymentStatuses),
      amount: fc.integer({ min: 100, max: 100_000_000 }),
      fee: fc.integer({ min: 0, max: 100 }),
      source: fc.constantFrom('acc_source', null),
      destination: fc.constant('acc_card'),
      reversal: fc.option(
        fc.record({
          direction: fc.constantFrom('debit', 'credit'),
          target: fc.constantFrom('acc_source', 'acc_card', 'acc_third', null),
          amount: fc.integer({ min: 1, max: 99 }),
          status: fc.constant('pending'),
        }),
      ),
    })
    fc.assert(
      fc.property(any, payment => {
        const total = [...position(payment).values()].reduce((sum, amount) => sum + amount, 0)
        expect(total).toBe(0)
      }),
    )
  })

  it.each<[string, LedgerPayment, Record<string, number>]>([
    ['is unchanged while the payment is pending', paid('pending'), {}],
    ['is clearing after the money was pulled', paid('processing'), { acc_source: -5_000, clearing: 5_000 }],
    [
      'is in transit, less the fee, after the payment was sent',
      paid('sent'),
      { acc_source: -5_000, transit: 4_900, fees: 100 },
    ],
    ['is the destination after the payment posted', paid('posted'), { acc_source: -5_000, acc_card: 4_900, fees: 100 }],
    ['is unchanged for a failed payment', paid('failed'), {}],
    [
      'is clearing after the destination returned the money',
      paid('reversal_required', { reversal: reversal('credit', 'acc_source') }),
      { acc_source: -5_000, clearing: 5_000 },
    ],
    [
      'is receivable after the payer took the money back',
      paid('reversal_processing', { reversal: reversal('debit', 'acc_source') }),
      { receivable: -5_000, acc_card: 4_900, fees: 100 },
    ],
    [
      'is the source account again after the payer was debited again',
      paid('settled', { reversal: reversal('debit', 'acc_source') }),
      { acc_source: -5_000, acc_card: 4_900, fees: 100 },
    ],
    [
      'is another account if that account was debited',
      paid('settled', { reversal: reversal('debit', 'acc_third') }),
      { acc_third: -5_000, acc_card: 4_900, fees: 100 },
    ],
    ['is unchanged for a reversed payment', paid('reversed', { reversal: reversal('credit', 'acc_source') }), {}],
    [
      'is the target account of the reversal',
      paid('reversed', { reversal: reversal('credit', 'acc_third') }),
      { acc_source: -5_000, acc_third: 5_000 },
    ],
    [
      'changes only by the returned part for a partial reversal',
      paid('partially_reversed', { reversal: reversal('credit', 'acc_source', 300) }),
      { acc_source: -4_700, acc_card: 4_600, fees: 100 },
    ],
    [
      'starts outside for an inbound payment',
      paid('processing', { source: null, fee: 0 }),
      { outside: -5_000, clearing: 5_000 },
    ],
  ])('%s', (_what, payment, expected) => expect(at(payment)).toEqual(expected))

  it('changes by the postings of each move', () => {
    for (const from of paymentStatuses)
      for (const to of statusRules[from].next) {
        const with_ = reversal('credit', 'acc_source', 300)
        const before = position(paid(from, { reversal: with_ }))
        const after = position(paid(to, { reversal: with_ }))
        const posted = postingsBetween(before, after)
        for (const [account, amount] of posted)
          expect((before.get(account) ?? 0) + amount, `${from} → ${to} ${account}`).toBe(after.get(account) ?? 0)
        expect([...posted.values()].reduce((sum, amount) => sum + amount, 0)).toBe(0)
      }
  })
})

describe("a payment's faults", () => {
  it('are an empty list if its postings match its status', () =>
    expect(findFaults(paid('posted'), position(paid('posted')))).toEqual([]))

  it('include postings that do not sum to zero', () =>
    expect(findFaults(paid('processing'), new Map([['acc_source', -5_000]]))[0]).toContain('sum to -5000'))

  it('include postings of another status', () =>
    expect(findFaults(paid('posted'), position(paid('sent')))[0]).toContain('other postings'))

  it('include a mismatched or missing reversal', () => {
    const back = { ...reversal('credit', 'acc_source'), status: 'sent' }
    const wrong = paid('reversal_required', { reversal: back })
    expect(findFaults(wrong, position(wrong))).toEqual([
      'a payment that is reversal_required has a reversal that is sent',
    ])
    const none = paid('reversed')
    expect(findFaults(none, position(none))).toEqual(['a payment that is reversed has a reversal that is missing'])
  })

  it.each([
    ['partially_reversed', 1, true],
    ['partially_reversed', 4_899, true],
    ['partially_reversed', 4_900, false],
    ['partially_reversed', 0, false],
    ['partially_reversed', 900_000, false],
    ['reversed', 5_000, true],
    ['reversed', 4_999, false],
  ] as const)('are absent for status %s and a reversal of %i: %s', (status, cents, sound) => {
    const given = paid(status, { reversal: { ...reversal('credit', 'acc_source', cents), status: 'sent' } })
    expect(findFaults(given, position(given))).toEqual(
      sound ? [] : [`a payment of 5000 less 100 that is ${status} has a reversal of ${cents}`],
    )
  })
})

import { type PaymentStatus, paymentStatuses } from '@causeway/contract/resources/payment'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { table } from '../payments/payment.js'
import { difference, faultsOf, type Paid, position } from './ledger.js'

const paid = (status: PaymentStatus, more: Partial<Paid> = {}): Paid => ({
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
const at = (payment: Paid) => Object.fromEntries(position(payment))

describe('where the money of a payment is', () => {
  it('sums to zero, whatever the payment', () => {
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

  it.each<[string, Paid, Record<string, number>]>([
    ['nothing has moved while it is pending', paid('pending'), {}],
    ['it is with us once it was pulled', paid('processing'), { acc_source: -5_000, clearing: 5_000 }],
    ['on its way less the fee', paid('sent'), { acc_source: -5_000, transit: 4_900, fees: 100 }],
    ['it has arrived', paid('posted'), { acc_source: -5_000, acc_card: 4_900, fees: 100 }],
    ['a failed one is as if it never was', paid('failed'), {}],
    [
      'what the destination sent back is with us',
      paid('reversal_required', { reversal: reversal('credit', 'acc_source') }),
      { acc_source: -5_000, clearing: 5_000 },
    ],
    [
      'what the payer took back is missing',
      paid('reversal_processing', { reversal: reversal('debit', 'acc_source') }),
      { receivable: -5_000, acc_card: 4_900, fees: 100 },
    ],
    [
      'until the payer is debited again',
      paid('settled', { reversal: reversal('debit', 'acc_source') }),
      { acc_source: -5_000, acc_card: 4_900, fees: 100 },
    ],
    [
      'or another account is',
      paid('settled', { reversal: reversal('debit', 'acc_third') }),
      { acc_third: -5_000, acc_card: 4_900, fees: 100 },
    ],
    ['a reversed one is as if it never was', paid('reversed', { reversal: reversal('credit', 'acc_source') }), {}],
    [
      'but for who got the money',
      paid('reversed', { reversal: reversal('credit', 'acc_third') }),
      { acc_source: -5_000, acc_third: 5_000 },
    ],
    [
      'of a part that part alone',
      paid('partially_reversed', { reversal: reversal('credit', 'acc_source', 300) }),
      { acc_source: -4_700, acc_card: 4_600, fees: 100 },
    ],
    [
      'what comes in has left the outside',
      paid('processing', { source: null, fee: 0 }),
      { outside: -5_000, clearing: 5_000 },
    ],
  ])('%s', (_what, payment, expected) => expect(at(payment)).toEqual(expected))

  it('every move posts what leads from one to the other', () => {
    for (const from of paymentStatuses)
      for (const to of table[from].next) {
        const with_ = reversal('credit', 'acc_source', 300)
        const before = position(paid(from, { reversal: with_ }))
        const after = position(paid(to, { reversal: with_ }))
        const posted = difference(before, after)
        for (const [account, amount] of posted)
          expect((before.get(account) ?? 0) + amount, `${from} → ${to} ${account}`).toBe(after.get(account) ?? 0)
        expect([...posted.values()].reduce((sum, amount) => sum + amount, 0)).toBe(0)
      }
  })
})

describe('what is wrong with a payment', () => {
  it('nothing where its postings are those of its status', () =>
    expect(faultsOf(paid('posted'), position(paid('posted')))).toEqual([]))

  it('postings that do not sum to zero', () =>
    expect(faultsOf(paid('processing'), new Map([['acc_source', -5_000]]))[0]).toContain('sum to -5000'))

  it('postings of another status', () =>
    expect(faultsOf(paid('posted'), position(paid('sent')))[0]).toContain('other postings'))

  it('a reversal that does not fit, or is missing', () => {
    const back = { ...reversal('credit', 'acc_source'), status: 'sent' }
    const wrong = paid('reversal_required', { reversal: back })
    expect(faultsOf(wrong, position(wrong))).toEqual([
      'a payment that is reversal_required has a reversal that is sent',
    ])
    const none = paid('reversed')
    expect(faultsOf(none, position(none))).toEqual(['a payment that is reversed has a reversal that is missing'])
  })

  it.each([
    ['partially_reversed', 1, true],
    ['partially_reversed', 4_899, true],
    ['partially_reversed', 4_900, false],
    ['partially_reversed', 0, false],
    ['partially_reversed', 900_000, false],
    ['reversed', 5_000, true],
    ['reversed', 4_999, false],
  ] as const)('a payment that is %s has a reversal of %i: sound %s', (status, cents, sound) => {
    const given = paid(status, { reversal: { ...reversal('credit', 'acc_source', cents), status: 'sent' } })
    expect(faultsOf(given, position(given))).toEqual(
      sound ? [] : [`a payment of 5000 less 100 that is ${status} has a reversal of ${cents}`],
    )
  })
})

/** Institutions with every oddity that Plaid's document allows. No answer of the provider is invalid. */
import { endpointsByPath } from '@causeway/connector/methods/contract'
import { fieldsOfBlock } from '@causeway/contract/update-fields'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPlaidWorld, person } from '../testing/plaid.js'
import { type EmulatedAccounts, openAccounts } from './emulator/bank.js'

const cents = fc.integer({ min: -99_999_999, max: 99_999_999_99 })
const dollars = cents.map(value => value / 100)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 })
const day = fc.constantFrom('2026-11-29', '1999-02-30', '', 'soon', '2026-12-01')
const words = fc.constantFrom('', ' ', 'Card', '😀'.repeat(150), 'x'.repeat(3_000), '\u202eabc')
const oneAccount = fc.record({
  kind: fc.constantFrom(
    ...([
      ...[
        ['credit', 'credit card'],
        ['credit', 'paypal'],
        ['credit', null],
        ['loan', 'auto'],
        ['loan', 'student'],
      ],
      ...[
        ['loan', 'mortgage'],
        ['loan', 'consumer'],
        ['loan', null],
        ['depository', 'checking'],
        ['other', 'other'],
      ],
    ] as const),
  ),
  ...{ current: maybe(dollars), available: maybe(dollars), limit: maybe(dollars) },
  currency: fc.constantFrom('USD', 'USD', 'CAD', null),
  mask: maybe(fc.constantFrom('1234', '12', '', 'XX', '123456')),
  ...{ name: words, official: maybe(words), persistent: fc.option(words, { nil: undefined }) },
  hasDetails: fc.boolean(),
  aprs: fc.array(fc.double({ min: -1, max: 2_000, noNaN: true }), { maxLength: 3 }),
  ...{
    last: maybe(dollars),
    minimum: maybe(dollars),
    due: maybe(day),
    number: maybe(fc.constantFrom('4277075694', '****5694', '')),
  },
  term: maybe(fc.constantFrom('30 year', '360 months', 'revolving', '')),
})
type Odd = typeof oneAccount extends fc.Arbitrary<infer Value> ? Value : never

/** Replaces the accounts of an institution by generated ones, with the details of an ordinary one as a pattern. */
function build(odd: readonly Odd[], key: string): EmulatedAccounts {
  const card = openAccounts('ins_900001', key).credit[0]!
  const { mortgage, student } = openAccounts('ins_900003', key)
  const built: EmulatedAccounts = { accounts: [], credit: [], mortgage: [], student: [], numbers: {} }
  for (const [i, each] of odd.entries()) {
    const account_id = `a${i}${key}`
    const [type, subtype] = each.kind
    built.accounts.push({
      ...{ account_id, type, subtype, mask: each.mask, name: each.name, official_name: each.official },
      ...(each.persistent !== undefined && { persistent_account_id: each.persistent }),
      balances: {
        ...{ current: each.current, available: each.available, limit: each.limit },
        ...{ iso_currency_code: each.currency, unofficial_currency_code: null },
      },
    })
    if (!each.hasDetails) continue
    const dates = { last_payment_amount: each.last, next_payment_due_date: each.due, last_payment_date: each.due }
    const aprs = each.aprs.map(apr_percentage => ({ ...card.aprs[0]!, apr_percentage }))
    if (type === 'credit')
      built.credit.push({ ...card, ...dates, account_id, aprs, minimum_payment_amount: each.minimum })
    const number = { account_id, account_number: each.number }
    if (subtype === 'mortgage')
      built.mortgage.push({
        ...mortgage[0]!,
        ...dates,
        ...number,
        loan_term: each.term,
        next_monthly_payment: each.minimum,
      })
    if (subtype === 'student')
      built.student.push({ ...student[0]!, ...dates, ...number, minimum_payment_amount: each.minimum })
  }
  return built
}

const exactCents = (value: number | null) => (value === null ? null : Math.round(value * 100))

it('has valid answers at 50 institutions, with every cent as it was sent', async () => {
  let institutions = 0
  await fc.assert(
    fc.asyncProperty(fc.array(oneAccount, { maxLength: 4 }), async odd => {
      institutions++
      const { ask, linkAt, emulator } = createPlaidWorld({
        isChecked: false,
        accountsOf: (_, key) => build(odd, key),
      })
      await linkAt('ins_900001')
      const valid = async (path: 'network/balance' | 'network/update' | 'network/sensitive', question: object) => {
        const answer = await ask(path, question)
        const parsed = endpointsByPath.get(path)!.method.answer.safeParse(answer)
        expect(parsed.error?.issues ?? [], path).toEqual([])
        return answer as { status: string; amount?: number; data?: Record<string, unknown> }
      }
      const discovered = await ask('network/discover', { person })
      expect(endpointsByPath.get('network/discover')!.method.answer.safeParse(discovered).error?.issues ?? []).toEqual(
        [],
      )
      if (discovered.status !== 'completed') throw new Error(String(discovered.code))
      const debts = discovered.liabilities
      expect(debts).toHaveLength(odd.filter(({ kind: [type] }) => type === 'credit' || type === 'loan').length)
      expect(new Set(debts.map(({ fingerprint }) => fingerprint)).size).toBe(debts.length)
      const sent = [...emulator.items.values()][0]?.accounts ?? []
      for (const { reference: account, type } of debts) {
        const { balances } = sent.find(({ account_id }) => account.endsWith(`.${account_id}`))!
        const balance = await valid('network/balance', { account })
        if (balances.iso_currency_code === 'USD' && balances.current !== null)
          expect(balance.amount).toBe(exactCents(balances.current))
        if (balances.iso_currency_code !== 'USD') expect(balance.status).toBe('failed')
        const { data } = await valid('network/update', { account, source: 'direct' })
        expect(fieldsOfBlock(type)).toEqual(expect.arrayContaining(Object.keys(data!)))
        if (type === 'mortgage' || type === 'student_loan') await valid('network/sensitive', { account })
      }
    }),
    { numRuns: 50 },
  )
  expect(institutions).toBeGreaterThanOrEqual(50)
})

/** The tables of docs/sandbox.md that are computed from the sandbox's people and their debts. */
import { calendar } from '../../apps/api/src/sandbox/debt-history.js'
import { findDebt, maskOf, payableOf, supportsOf } from '../../apps/api/src/sandbox/liabilities.js'
import { payoffOf } from '../../apps/api/src/sandbox/products/payoff.js'
import type { Debt } from '../../apps/api/src/sandbox/tables/debts.js'
import { delays } from '../../apps/api/src/sandbox/tables/inputs.js'
import { productOf } from '../../apps/api/src/sandbox/tables/institutions.js'
import { type Person, people } from '../../apps/api/src/sandbox/tables/people.js'
import { dueDay } from '../../apps/api/src/sandbox/updates.js'
import { type ResourceErrorCode, resourceErrors } from '../../packages/contract/src/errors.js'
import { formatMoney } from '../../packages/contract/src/money.js'
import { table } from './docs-table.js'

export const code = (text: string) => `\`${text}\``
export const list = (names: readonly string[]) => names.map(code).join(', ')
export const failure = (number: ResourceErrorCode) => `${number} ${code(resourceErrors[number].sub_type)}`
const seconds = (ms: number) => `${ms / 1000} s`
const grouped = (number: string) => (number.length > 12 ? number.replace(/(\d{4})(?=\d)/g, '$1 ') : number)
export const clockTime = (hour: number) => `${String(hour).padStart(2, '0')}:00 UTC`

const fieldNames: Readonly<Record<string, string>> = {
  dob: 'date of birth',
  address: 'address',
  ssn_4: 'last four digits of the SSN',
}
export const peopleTable = table(
  ['Phone', 'What happens', 'Required in addition to name and phone', 'Questions', 'Accounts'],
  people.map(person => [
    code(person.phone),
    person.scenario,
    person.asks.map(field => fieldNames[field] ?? field).join(', ') || 'nothing',
    person.questions ? 'yes' : 'no',
    person.fails ? failure(person.fails) : String(person.debts.length),
  ]),
)

const payableWords = { yes: 'yes', needs_number: 'after the person enters its number', no: 'no' } as const
const ownershipWords = { primary: '', joint: 'joint account', authorized: 'authorized user', unknown: '' } as const
function notes(debt: Debt, person: Person): string {
  const product = productOf(debt)
  return [
    ownershipWords[person.ownership?.[debt.reference] ?? 'primary'],
    debt.closed_at ? `closed on ${debt.closed_at}` : '',
    debt.slow ? `every response takes ${seconds(delays.slowInstitution)}` : '',
    debt.silent ? `balance fails with ${failure(20001)}, update with ${failure(21001)}` : '',
    debt.no_payoff ? `payoff fails with ${failure(18001)}` : '',
    debt.refuses_number ? `verifying its number fails with ${failure(16002)}` : '',
    debt.rail === 'refuses' ? 'the rail rejects payments to it' : '',
    debt.rail === 'returns' ? `payments are returned with ${failure(10009)}` : '',
    product.direct ? '' : 'snapshots only',
    debt.balance === 0 && !debt.closed_at ? 'zero balance' : '',
    debt.moves ? 'balance and limit change' : '',
    debt.reissued ? 'the card is replaced each month' : '',
    debt.closes ? 'closes during a subscription' : '',
  ]
    .filter(Boolean)
    .join('; ')
}
export const accountTables = people
  .filter(person => person.debts.length > 0)
  .map(person => {
    const rows = person.debts.map(reference => {
      const debt = findDebt(reference)!
      const product = productOf(debt)
      return [
        product.name,
        maskOf(debt) ?? 'none',
        `${code(product.type)}${product.sub_type ? ` ${code(product.sub_type)}` : ''}`,
        code(debt.mch_id),
        formatMoney(debt.balance),
        payableWords[payableOf(debt)],
        debt.number ? grouped(debt.number) : 'none',
        notes(debt, person),
      ]
    })
    const head = ['Account', 'Mask', 'Type', 'Merchant', 'Balance', 'Payable', 'Full number', 'Notes']
    return `### ${person.phone}\n\n${table(head, rows)}`
  })
  .join('\n\n')

const ordinal = (day: number) => {
  const ending =
    day % 10 === 1 && day !== 11
      ? 'st'
      : day % 10 === 2 && day !== 12
        ? 'nd'
        : day % 10 === 3 && day !== 13
          ? 'rd'
          : 'th'
  return `${day}${ending}`
}
const everyDebt = people.flatMap(person => person.debts.map(reference => ({ person, debt: findDebt(reference)! })))
const naming = ({ person, debt }: (typeof everyDebt)[number]) =>
  `${code(person.phone)} ${productOf(debt).name} ··${maskOf(debt)}`
const signed = (cents: number) => `${cents > 0 ? 'up' : 'down'} ${formatMoney(Math.abs(cents))}`
export const changeTable = table(
  ['Account', 'Day of each month', 'What happens', 'Events'],
  everyDebt.flatMap(each => {
    const { debt } = each
    const named = naming(each)
    return [
      ...(debt.moves ?? []).map(({ day, balance, limit }) => [
        named,
        `${ordinal(day)}, ${clockTime(calendar.moves)}`,
        balance ? `balance ${signed(balance)}` : `credit limit ${signed(limit ?? 0)}`,
        list([
          `account.${balance ? 'balance' : 'credit_limit'}_${(balance ?? limit ?? 0) > 0 ? 'increased' : 'decreased'}`,
        ]),
      ]),
      ...(debt.reissued
        ? [
            [
              named,
              `${ordinal(debt.reissued.day)}, ${clockTime(calendar.reissues)}`,
              `the card is replaced with ··${debt.reissued.number.slice(-4)}, and the next month with the original card again`,
              list(['card_brand.available', 'payment_instrument.create', 'account.number.update']),
            ],
          ]
        : []),
      ...(debt.closes
        ? [
            [
              named,
              `${ordinal(debt.closes)}, ${clockTime(calendar.closes)}`,
              'the account is closed',
              list(['account.closed']),
            ],
          ]
        : []),
    ]
  }),
)
export const openings = people
  .filter(person => person.opens !== undefined)
  .map(
    person =>
      `${code(person.phone)} opens a card on the ${ordinal(person.opens!)} of each month at ${clockTime(calendar.opens)}`,
  )
  .join('; ')
export const statementDayTable = table(
  ['Account', 'Statement day'],
  everyDebt
    .filter(({ debt }) => productOf(debt).direct && !debt.silent && !debt.closed_at)
    .map(each => [naming(each), String(dueDay(each.debt))]),
)
/** Lists the accounts that meet a condition. */
export const accountsWhere = (test: (debt: Debt) => unknown) =>
  everyDebt
    .filter(({ debt }) => test(debt))
    .map(({ person, debt }) => `${code(person.phone)} ${productOf(debt).name}`)
    .join(', ')

export const payoffTable = table(
  ['Account', 'Amount', 'Per day', 'Valid for'],
  everyDebt
    .filter(({ debt }) => supportsOf(productOf(debt)).includes('payoff') && !debt.no_payoff)
    .map(({ person, debt }) => {
      const { amount, per_diem_amount, term } = payoffOf(debt)
      return [
        `${code(person.phone)} ${productOf(debt).name}`,
        formatMoney(amount),
        per_diem_amount === null ? 'not reported' : formatMoney(per_diem_amount),
        `${term} days`,
      ]
    }),
)

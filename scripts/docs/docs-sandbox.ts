// biome-ignore-all lint/style/noExcessiveLinesPerFile: it writes one page, in reading order.
/**
 * Writes docs/sandbox.md from the tables in apps/api/src/sandbox, so that the manual matches the sandbox.
 *   tsx --conditions=source scripts/docs/docs-sandbox.ts            writes the page
 *   tsx --conditions=source scripts/docs/docs-sandbox.ts --check    fails if the page is out of date
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { calendar } from '../../apps/api/src/sandbox/debt-history.js'
import { faultModes } from '../../apps/api/src/sandbox/faults/faults.js'
import { findDebt, maskOf, payableOf, supportsOf } from '../../apps/api/src/sandbox/liabilities.js'
import { payoffOf } from '../../apps/api/src/sandbox/products/payoff.js'
import { refusals, resourceCodes, statuses, unreachable } from '../../apps/api/src/sandbox/scenarios.js'
import { brandOf, cardProducts, printedOn } from '../../apps/api/src/sandbox/tables/card-products.js'
import { type Debt, debts } from '../../apps/api/src/sandbox/tables/debts.js'
import {
  achNumbers,
  achRouting,
  carrier,
  codes,
  delays,
  deniedPhone,
  fullNumber,
  describedExample as manual,
  refusedDetails,
  refusedPhone,
  timetable,
  trustedRouting,
  unknownZip,
} from '../../apps/api/src/sandbox/tables/inputs.js'
import { merchants, productOf, products } from '../../apps/api/src/sandbox/tables/institutions.js'
import { type Person, people } from '../../apps/api/src/sandbox/tables/people.js'
import { perRound, questions } from '../../apps/api/src/sandbox/tables/questions.js'
import { candidates, vehicles } from '../../apps/api/src/sandbox/tables/registers.js'
import { dueDay, snapshotKeys, updateKeys } from '../../apps/api/src/sandbox/updates.js'
import { type ResourceErrorCode, resourceErrors } from '../../packages/contract/src/errors.js'
import { formatMoney } from '../../packages/contract/src/money.js'
import { table } from './docs-table.js'

const page = new URL('../../docs/sandbox.md', import.meta.url)
const code = (text: string) => `\`${text}\``
const list = (names: readonly string[]) => names.map(code).join(', ')
const failure = (number: ResourceErrorCode) => `${number} ${code(resourceErrors[number].sub_type)}`
const seconds = (ms: number) => `${ms / 1000} s`
const grouped = (number: string) => (number.length > 12 ? number.replace(/(\d{4})(?=\d)/g, '$1 ') : number)

const fieldNames: Readonly<Record<string, string>> = {
  dob: 'date of birth',
  address: 'address',
  ssn_4: 'last four digits of the SSN',
}
const peopleTable = table(
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
const accountTables = people
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

const where = (test: (debt: Debt) => unknown) =>
  people
    .flatMap(person => person.debts.map(reference => ({ person, debt: findDebt(reference)! })))
    .filter(({ debt }) => test(debt))
    .map(({ person, debt }) => `${code(person.phone)} ${productOf(debt).name}`)
    .join(', ')
const failuresTable = table(
  ['To see', 'Do'],
  [
    [
      "details that don't match anyone",
      `last name ${code(refusedDetails.last_name)}, or any phone that is not in the table`,
    ],
    [`${code('PAYMENT_REFUSED_BY_RAIL')}`, where(debt => debt.rail === 'refuses')],
    [`a payment that is returned, ${failure(10009)}`, where(debt => debt.rail === 'returns')],
    ['an account that no payment can reach', where(debt => payableOf(debt) === 'no' && !debt.closed_at)],
    ['a closed account', where(debt => debt.closed_at)],
    ['any other payment failure', 'use an account number listed under "Account numbers"'],
  ],
)

const clockTime = (hour: number) => `${String(hour).padStart(2, '0')}:00 UTC`
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
const movesTable = table(
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
const openingTable = people
  .filter(person => person.opens !== undefined)
  .map(
    person =>
      `${code(person.phone)} opens a card on the ${ordinal(person.opens!)} of each month at ${clockTime(calendar.opens)}`,
  )
  .join('; ')
const dueTable = table(
  ['Account', 'Statement day'],
  everyDebt
    .filter(({ debt }) => productOf(debt).direct && !debt.silent && !debt.closed_at)
    .map(each => [naming(each), String(dueDay(each.debt))]),
)
const subscriptionTable = table(
  ['Subscription', 'What it creates', 'Events'],
  [
    [code('update.snapshot'), 'an update on the first of each month', list(['update.create', 'update.update'])],
    [
      code('update'),
      `a direct update when the institution reports a change: on the statement day at ${clockTime(calendar.statement)}, and for each change in the table below`,
      list(['update.create', 'update.update']),
    ],
    [
      code('transaction'),
      `a purchase on about one day in ${calendar.purchaseEvery}: pending in the afternoon, posted the next morning at ${clockTime(calendar.posts)}. About one in ${calendar.voidEvery} is voided instead`,
      list(['transaction.create', 'transaction.update']),
    ],
    [
      code('card_brand'),
      'the brand of a replaced card',
      list(['card_brand.create', 'card_brand.update', 'card_brand.available']),
    ],
    [
      `${code('payment_instrument.card')}, ${code('payment_instrument.network_token')}`,
      'an instrument for a replaced card',
      list(['payment_instrument.create', 'payment_instrument.update']),
    ],
    [
      `${code('attribute')} of an account`,
      'attributes on the first of each month',
      list(['account_attribute.create', 'account_attribute.update']),
    ],
    [
      `${code('attribute')} of an entity`,
      'attributes on the first of each month',
      `${list(['entity_attribute.create', 'entity_attribute.update'])}, and one event for each changed attribute`,
    ],
    [
      code('credit_score'),
      'scores on the first of each month, a few points higher or lower',
      list([
        'credit_score.create',
        'credit_score.update',
        'credit_score.available',
        'credit_score.increased',
        'credit_score.decreased',
      ]),
    ],
    [
      code('connect'),
      'a connect record with the newly opened accounts',
      list(['connect.create', 'connect.update', 'connect.available', 'account.create', 'account.opened']),
    ],
  ],
)

const scenarioTable = (rows: Readonly<Record<string, string>>, head: readonly string[]) =>
  table(
    [...head, 'Do'],
    Object.entries(rows).map(([row, how]) => {
      const [first = '', second] = row.split(' ')
      const known = second && resourceErrors[Number(second) as ResourceErrorCode]
      return [code(first), ...(second ? [known ? `${second} ${code(known.sub_type)}` : code(second)] : []), how]
    }),
  )

const updateTable = table(
  ['Type', 'Keys of a direct update', 'Additional keys of a snapshot'],
  Object.entries(updateKeys).map(([type, keys]) => [code(type), list(keys), list(snapshotKeys[type] ?? []) || 'none']),
)
const merchantTable = table(
  ['Id', 'Name', 'Type', 'Product', 'Rate', 'Number format', 'Products supported'],
  merchants.map(merchant => {
    const product = products[merchant.id]!
    return [
      code(merchant.id),
      merchant.name,
      code(merchant.type),
      product.name,
      `${product.rate} %`,
      merchant.account_number_formats.map(code).join(', ') || 'none',
      list(supportsOf(product)),
    ]
  }),
)

const isCard = (id: string) => products[id]?.type === 'credit_card'
const cardTable = table(
  ['Merchant', 'Expiry', 'Verification value', 'Billing ZIP code', 'Brand'],
  merchants
    .filter(({ id }) => isCard(id))
    .map(({ id }) => {
      const card = printedOn(id)
      return [
        code(id),
        `${card.exp_month}/${card.exp_year}`,
        code(card.cvv),
        code(card.zip),
        code(brandOf(id) ?? 'none'),
      ]
    }),
)
const brandTable = table(
  ['Id', 'Product', 'Issuer', 'Network', 'Tier'],
  cardProducts.flatMap(product =>
    product.brands.map(brand => [code(brand.id), product.name, product.issuer, brand.network, brand.network_tier]),
  ),
)
const payoffTable = table(
  ['Account', 'Amount', 'Per day', 'Valid for'],
  people.flatMap(person =>
    person.debts
      .map(reference => findDebt(reference)!)
      .filter(debt => supportsOf(productOf(debt)).includes('payoff') && !debt.no_payoff)
      .map(debt => {
        const { amount, per_diem_amount, term } = payoffOf(debt)
        const name = `${code(person.phone)} ${productOf(debt).name}`
        return [
          name,
          formatMoney(amount),
          per_diem_amount === null ? 'not reported' : formatMoney(per_diem_amount),
          `${term} days`,
        ]
      }),
  ),
)

const text = `<!-- Made by scripts/docs/docs-sandbox.ts from apps/api/src/sandbox. Do not edit. -->

# The sandbox

The sandbox calls no bank, bureau or phone company. Tables define the simulated people, institutions and
payment rail, and the same input always returns the same result. This page lists those tables, so you can pick a phone number and know what will happen.

All data is fictional. The names of real institutions make the screens realistic, but those institutions are not involved.

## Ten-second start

Create an entity with any first and last name and the phone number ${code(people[0]!.phone)}, open the flow, and enter any
six-digit code except ${code(codes.incorrect)} and ${code(codes.expired)}. ${people[0]!.scenario}

## People

You can use any name, date and address. The phone number selects the scenario. You must provide the details that the scenario
requires.

${peopleTable}

With any other valid US number, the person receives a code and must enter all details, but no match is found.
If you sent a date of birth, an address or SSN digits with the entity, the flow does not ask for them.

## What to type

${table(
  ['Input', 'Value', 'Result'],
  [
    ['code', code(codes.incorrect), 'incorrect'],
    ['code', code(codes.expired), 'expired'],
    ['code', 'any other six digits', 'correct'],
    ['phone', code(refusedPhone), 'the code cannot be sent'],
    ['phone on a mobile network', code(deniedPhone), 'the carrier rejects it, and a code is texted'],
    [
      'any other phone on a mobile network',
      `its URLs are on ${code(carrier)}`,
      'verified without a code after the URLs are opened',
    ],
    ['last name', code(refusedDetails.last_name), "the details don't match anyone, whatever the phone"],
    ['last four digits of the SSN, if required', code(refusedDetails.ssn_4), "the details don't match anyone"],
    [
      'full number of an account',
      `${fullNumber.least} to ${fullNumber.most} digits that end in its mask`,
      'belongs to the account',
    ],
    [
      'full number of an account',
      `a number that begins with ${code(fullNumber.refusedStart)}, or any other number`,
      failure(16002),
    ],
  ],
)}

No server exists at ${code(carrier)}, so on a real phone the flow falls back to a code. A test can intercept the URL in the browser and
simulate the mobile connection. In Playwright, use ${code('page.route')} for the URL and ${code('page.addInitScript')} for ${code('navigator.connection')}.

Spaces and dashes in a number are ignored. Entering a number for an account that cannot receive payments fails with
${failure(16001)}.

Each round has ${perRound} knowledge questions with five answers each, marked (Correct) or (Incorrect). An incorrect or missing
answer fails the round. The next round has different questions. Questions repeat only after all ${questions.length} have been
used.
Each day, a person can fail at most two rounds and submit at most four forms with details that don't match
anyone, across all of their tokens. The screen shows when the person can try again. To move the clock to that time, use \`POST /simulate/clock\`.

## Failures

${failuresTable}

### Every status

${scenarioTable(statuses, ['Resource', 'Status'])}

### Every resource error

These are the values of ${code('error')} in an entity, an account, a verification session or a record.

${scenarioTable(resourceCodes, ['Resource', 'Code'])}

### Every request error

These are the errors that requests about entities, accounts and their products can return.

${scenarioTable(refusals, ['sub_type'])}

### Not available in the sandbox

${table(
  ['What', 'Why'],
  Object.entries(unreachable).map(([what, why]) => [code(what), why]),
)}

## Accounts

Payments do not change balances, so each scenario stays the same.

${accountTables}

## A person's products

| Product | Result |
| --- | --- |
| ${code('credit_score')} | The record stays pending until ${code('POST /simulate/entities/{ent}/credit_scores/{crs}')} sets its scores. A subscription creates a record automatically on the first of each month. |
| ${code('identity')} | The record contains the entity's details, with a fictional SSN that begins with 9. ${Object.entries(
  candidates,
)
  .map(([phone, fits]) => `${code(phone)} matches ${fits.length} people (${fits.map(one => one.ssn).join(' and ')})`)
  .join('; ')} unless the last four digits of the SSN select one of them. |
| ${code('attribute')} | Computed from the accounts in the tables below. If the person has no accounts for an attribute, that attribute has the error ${failure(27001)}. |
| ${code('vehicle')} | ${Object.entries(vehicles)
  .map(([phone, owned]) => `${code(phone)}: ${owned.map(one => `${one.year} ${one.make} ${one.model}`).join(', ')}`)
  .join('; ')}. Other people have none. |

${code('POST /simulate/entities/{ent}/connect')} with behaviors such as ${code('new_credit_card_account')} opens an account. The next connect request finds it.
With a subscription to ${code('connect')}, the account is found immediately. If the person chose accounts in an element
but did not agree to share future accounts, the new account stays pending until they choose it: see ${code('entity.new_accounts_pending_consent')} and ${code('GET /accounts?consent_status=pending')}. ${code('POST /simulate/entities/{ent}/attributes')} with ${code('new_soft_inquiry')} adds to
${code('credit_health_soft_inquiries')}. ${code('POST /simulate/events')} creates an event without changing anything.

## Liability accounts by number

${code('POST /accounts')} with a merchant listed below and any number creates a liability account. Its mask is the last four
digits of the number. The merchant's product determines its name and type. ${code(manual.mch_id)} with ${code(manual.number)} is
${products[manual.mch_id]!.name} ··${manual.number.slice(-4)}, ${code(products[manual.mch_id]!.type)}, ${code(products[manual.mch_id]!.sub_type ?? '')}.
A number from the tables above selects the account with that number, including its balance. Any other number has its own fixed balance. An unknown
merchant is rejected.

## Updates

A direct update has the current date. A snapshot has the date of the first day of the month. Payment dates follow the sandbox clock,
except those of ${code(people.find(person => person.debts.some(debt => findDebt(debt)?.update))!.phone)} ··${maskOf(debts.find(debt => debt.update)!)}, which are fixed. An update of each type has exactly these keys. Unknown values are null.

${updateTable}

## Automatic changes

A subscription creates records over time, each with the events of its product and a ${code('subscription.update')}. A subscription
ends immediately when you cancel it, when its account closes or when consent is withdrawn. To see these changes, move the clock.
If the clock skips days, the sandbox creates the records for those days in order, with their dates.

${subscriptionTable}

These changes happen every month. ${openingTable}. To see an account that awaits consent, connect with an element, leave the checkbox for future accounts unchecked, and enroll in ${code('connect')}.

${movesTable}

These are the statement days:

${dueTable}

## Payoffs

The payoff amount is the amount owed plus the interest for the days of the term, unless a scenario sets it.

${payoffTable}

## Card details

Verification sessions of type ${code('instant')}, ${code('pre_auth')} and ${code('network')} compare the person's input with these values. Any other value results in
${code('fail')}. The ZIP code ${code(unknownZip)} cannot be checked: its result is ${code('unavailable')}, and the verification
passes.

${cardTable}

${code('POST /simulate/accounts/{id}/card_brands')} replaces a card whose account is subscribed to ${code('card_brand')} with any of these:

${brandTable}

## Account numbers

Any routing number with a correct check digit works, such as ${code(achRouting)}. Accounts at
${code(trustedRouting)} are verified by ${code('trusted_provisioner')}, and all others by ${code('auto_verify')}. The account number selects the scenario:

${table(
  ['Number', 'What happens'],
  achNumbers.map(row => [code(row.number), row.what]),
)}

## Payment schedule

The schedule follows the dates of the payment: ${code('source_settlement_date')} and ${code('destination_settlement_date')}, both business days. Times are
${timetable.zone}.

${table(
  ['Status', 'When'],
  [
    [code('pending'), 'until the next window; the payment can be canceled'],
    [
      code('processing'),
      `on the source date, at the first of ${timetable.windows.join(', ')} after the payment is created`,
    ],
    [code('sent'), `${timetable.sent} on the source date`],
    [code('failed'), `instead of ${code('sent')}, if the account number selects this outcome`],
    [code('posted'), `${timetable.posted} on the destination date`],
    [
      `${code('reversal_required')} by the source`,
      `${timetable.disputed} on the day after the source date, instead of ${code('posted')}`,
    ],
    [
      `${code('reversal_required')} by the destination`,
      `${timetable.returned}, ${timetable.returnedAfterDays} days after the destination date, unless the account number sets another time`,
    ],
    [
      `${code('reversed')}, ${code('settled')} or ${code('partially_reversed')}`,
      `${timetable.sent} on the business day of the reversal’s approval, or on the next business day if it is approved after the last window`,
    ],
  ],
)}

The payment has a source trace id once it is processing, and a destination trace id once it is sent. ${code('POST /simulate/payments/{id}')} changes
the status immediately, with a body such as ${code('{"status": "failed", "error_code": 10001}')}; only failures have a code. To
approve a reversal, use
${code('PUT /payments/{id}/reversals/{rvs}')}. A partial reversal needs no approval. After three payments
from an account fail with 10001, the service disables the account.

When an account is disabled or closed, the service cancels the pending payments from it. They fail with 10005 if the account
was disabled with 11003 (a payment was not authorized) or 11006 (its holder was disabled), and with 10007 otherwise.
Payments that were already sent continue.

## Managed accounts

Each team has one managed account, which ${code('GET /managed_accounts')} returns. It was opened on Monday, January 5, 2026, with $100,000.00. A deposit arrives each
Monday and clears the next day, payments settle each Wednesday, and a fee is charged each Friday. The amounts depend on the team and the day,
not on the team's payments.

## The clock

You never have to wait. This request moves your team's clock three days forward. Settlements, returns, expirations and
retries happen as if the time had passed:

\`\`\`
curl http://127.0.0.1:4000/simulate/clock -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"advance":"P3D"}'
\`\`\`

The clock only moves forward. Rate limits, signatures and the expiry of idempotency keys use real time.

## Faults

To test how your code handles failures, simulate faults in a part of the service for your team:

\`\`\`
curl http://127.0.0.1:4000/simulate/faults -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"target":"rail","mode":"flapping","for":"PT30S"}'
\`\`\`

${table(
  ['Mode', 'Effect'],
  Object.entries(faultModes).map(([mode, effect]) => [code(mode), effect]),
)}

The targets are ${code('network')}, ${code('identity')}, ${code('rail')} and ${code('idempotency')}. ${code('idempotency')} is part of the service itself. While
${code('idempotency')} fails, POST requests with an ${code('Idempotency-Key')} return 503 and change nothing.

## Merchants

${merchantTable}
`

const current = (() => {
  try {
    return readFileSync(page, 'utf8')
  } catch {
    return ''
  }
})()
if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (current !== text) {
  console.error('docs/sandbox.md is out of date: run scripts/docs/docs-sandbox.ts')
  process.exitCode = 1
}

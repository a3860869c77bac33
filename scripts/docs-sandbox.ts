/**
 * Writes docs/sandbox.md from the tables of apps/api/src/sandbox, so that the manual cannot say what the sandbox does not do.
 * Long because it is one page, in the order that it is read.
 * `tsx --conditions=source scripts/docs-sandbox.ts` writes it; with `--check` it fails if the page is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { brandOf, cardProducts, printedOn } from '../apps/api/src/sandbox/card-products.js'
import { calendar } from '../apps/api/src/sandbox/debt-history.js'
import { type Debt, debts } from '../apps/api/src/sandbox/debts.js'
import { faultModes } from '../apps/api/src/sandbox/faults.js'
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
} from '../apps/api/src/sandbox/inputs.js'
import { merchants, productOf, products } from '../apps/api/src/sandbox/institutions.js'
import { findDebt, maskOf, payableOf, supportsOf } from '../apps/api/src/sandbox/liabilities.js'
import { type Person, people } from '../apps/api/src/sandbox/people.js'
import { payoffOf } from '../apps/api/src/sandbox/products/payoff.js'
import { perRound, questions } from '../apps/api/src/sandbox/questions.js'
import { candidates, vehicles } from '../apps/api/src/sandbox/registers.js'
import { refusals, resourceCodes, statuses, unreachable } from '../apps/api/src/sandbox/scenarios.js'
import { dueDay, snapshotKeys, updateKeys } from '../apps/api/src/sandbox/updates.js'
import { type ResourceErrorCode, resourceErrors } from '../packages/contract/src/errors.js'
import { money } from '../packages/contract/src/money.js'

const page = new URL('../docs/sandbox.md', import.meta.url)
const code = (text: string) => `\`${text}\``
const list = (names: readonly string[]) => names.map(code).join(', ')
const failure = (number: ResourceErrorCode) => `${number} ${code(resourceErrors[number].sub_type)}`
const seconds = (ms: number) => `${ms / 1000} s`
const grouped = (number: string) => (number.length > 12 ? number.replace(/(\d{4})(?=\d)/g, '$1 ') : number)

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const fieldNames: Readonly<Record<string, string>> = {
  dob: 'date of birth',
  address: 'address',
  ssn_4: 'last four of the SSN',
}
const peopleTable = table(
  ['Phone', 'What happens', 'Asked beside name and phone', 'Questions', 'Accounts'],
  people.map(person => [
    code(person.phone),
    person.scenario,
    person.asks.map(field => fieldNames[field] ?? field).join(', ') || 'nothing',
    person.questions ? 'yes' : 'no',
    person.fails ? failure(person.fails) : String(person.debts.length),
  ]),
)

const payableWords = { yes: 'yes', needs_number: 'once its number is given', no: 'no' } as const
function notes(debt: Debt, person: Person): string {
  const product = productOf(debt)
  return [
    person.ownership?.[debt.reference] ? `held as ${person.ownership[debt.reference]}` : '',
    debt.closed_at ? `closed on ${debt.closed_at}` : '',
    debt.slow ? `${seconds(delays.slowInstitution)} for every answer` : '',
    debt.silent ? `balance fails with ${failure(20001)}, update with ${failure(21001)}` : '',
    debt.no_payoff ? `payoff fails with ${failure(18001)}` : '',
    debt.refuses_number ? `every number fails with ${failure(16002)}` : '',
    debt.rail === 'refuses' ? 'the rail refuses payments to it' : '',
    debt.rail === 'returns' ? `payments come back with ${failure(10009)}` : '',
    product.direct ? '' : 'snapshots only',
    debt.balance === 0 && !debt.closed_at ? 'nothing owed' : '',
    debt.moves ? 'balance and limit move' : '',
    debt.reissued ? 'the card is replaced each month' : '',
    debt.closes ? 'is closed while it is watched' : '',
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
        money(debt.balance),
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
    ['details that match nobody', `last name ${code(refusedDetails.last_name)}, or any phone that is not in the table`],
    [`${code('PAYMENT_REFUSED_BY_RAIL')}`, where(debt => debt.rail === 'refuses')],
    [`a payment that comes back, ${failure(10009)}`, where(debt => debt.rail === 'returns')],
    ['an account that no payment can reach', where(debt => payableOf(debt) === 'no' && !debt.closed_at)],
    ['an account that is closed', where(debt => debt.closed_at)],
    ['any other failure of a payment', 'an account number of "Where money comes from"'],
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
const signed = (cents: number) => `${cents > 0 ? 'up' : 'down'} ${money(Math.abs(cents))}`
const movesTable = table(
  ['Account', 'Day of each month', 'What happens', 'Told by'],
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
              `the card is replaced by ··${debt.reissued.number.slice(-4)}, and by the first one again the month after`,
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
  ['Account', 'Day of the statement'],
  everyDebt
    .filter(({ debt }) => productOf(debt).direct && !debt.silent && !debt.closed_at)
    .map(each => [naming(each), String(dueDay(each.debt))]),
)
const subscriptionTable = table(
  ['Enrolled in', 'What comes', 'Told by'],
  [
    [code('update.snapshot'), 'an update on the first of each month', list(['update.create', 'update.update'])],
    [
      code('update'),
      `a direct update when the institution reports a change: on the day of the statement at ${clockTime(calendar.statement)}, and whenever something of the table below happens`,
      list(['update.create', 'update.update']),
    ],
    [
      code('transaction'),
      `a purchase on about one day of ${calendar.purchaseEvery}: pending in the afternoon, posted the next morning at ${clockTime(calendar.posts)}, and about one of ${calendar.voidEvery} voided instead`,
      list(['transaction.create', 'transaction.update']),
    ],
    [
      code('card_brand'),
      'the brand of a card that was replaced',
      list(['card_brand.create', 'card_brand.update', 'card_brand.available']),
    ],
    [
      `${code('payment_instrument.card')}, ${code('payment_instrument.network_token')}`,
      'an instrument for a card that was replaced',
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
      `${list(['entity_attribute.create', 'entity_attribute.update'])}, and one event for each that moved`,
    ],
    [
      code('credit_score'),
      'scores on the first of each month, a few points up or down',
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
      'a connect with the accounts that were opened',
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
  ['Type', 'Keys of a direct update', 'And in a snapshot'],
  Object.entries(updateKeys).map(([type, keys]) => [
    code(type),
    list(keys),
    list(snapshotKeys[type] ?? []) || 'no more',
  ]),
)
const merchantTable = table(
  ['Id', 'Name', 'Type', 'Its product', 'Rate', 'Number format', 'Products supported'],
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
  ['Merchant', 'Expiry', 'Verification value', 'Billing zip code', 'Brand'],
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
  ['Account', 'Amount', 'Each day', 'Good for'],
  people.flatMap(person =>
    person.debts
      .map(reference => findDebt(reference)!)
      .filter(debt => supportsOf(productOf(debt)).includes('payoff') && !debt.no_payoff)
      .map(debt => {
        const { amount, per_diem_amount, term } = payoffOf(debt)
        const name = `${code(person.phone)} ${productOf(debt).name}`
        return [name, money(amount), per_diem_amount === null ? 'not told' : money(per_diem_amount), `${term} days`]
      }),
  ),
)

const text = `<!-- Made by scripts/docs-sandbox.ts from apps/api/src/sandbox. Do not edit. -->

# The sandbox

In the sandbox no bank, bureau or phone company is asked. People, institutions and a payment rail are played by tables,
and the same input always gives the same answer. This page is those tables: pick a phone number, and you know what will happen.

Everything here is made up. Institutions are named so that screens look real; none of them is involved.

## Ten-second start

Create an entity with any first and last name and the phone ${code(people[0]!.phone)}, open the flow, and type any six digits as the code
(not ${code(codes.incorrect)}, not ${code(codes.expired)}). ${people[0]!.scenario}

## People

Names, dates and addresses can be anything: what counts is the phone, and that what is asked is there.

${peopleTable}

Any other valid United States number gets a code, is asked for everything, and never matches anybody.
A date of birth, an address or digits that came with the entity are not asked again.

## What to type

${table(
  ['Input', 'Value', 'Answer'],
  [
    ['code', code(codes.incorrect), 'incorrect'],
    ['code', code(codes.expired), 'expired'],
    ['code', 'any other six digits', 'correct'],
    ['phone', code(refusedPhone), 'no code can be sent'],
    ['phone on a mobile network', code(deniedPhone), 'its carrier denies it, and a code is texted'],
    [
      'any other phone on a mobile network',
      `its addresses are on ${code(carrier)}`,
      'known without a code, once they were opened',
    ],
    ['last name', code(refusedDetails.last_name), 'nobody matches, whatever the phone'],
    ['last four of the SSN, where asked', code(refusedDetails.ssn_4), 'nobody matches'],
    [
      'full number of an account',
      `${fullNumber.least} to ${fullNumber.most} digits that end in its mask`,
      'belongs to the account',
    ],
    ['full number of an account', `begins with ${code(fullNumber.refusedStart)}, or any other`, failure(16002)],
  ],
)}

Nobody answers at ${code(carrier)}, so a phone of yours gets a code. A test can answer in the browser and say what the connection is:
in Playwright by ${code('page.route')} for the address and ${code('page.addInitScript')} for ${code('navigator.connection')}.

Spaces and dashes in a number do not matter. A number for an account that no payment can reach fails with ${failure(16001)}.

Knowledge questions come ${perRound} at a time with five answers each; every answer says (Correct) or (Incorrect). A wrong or
missing one fails the round, and the next round asks others, until all ${questions.length} have been asked and they begin again.
In the flow two wrong rounds are a day's, and so are four forms that match nobody, whatever tokens the person comes with: the screen says when
they can try again. \`POST /simulate/clock\` moves there.

## To see something fail

${failuresTable}

### Every status

${scenarioTable(statuses, ['Resource', 'Status'])}

### Every error of a resource

What stands in the ${code('error')} of an entity, an account, a verification session or a record.

${scenarioTable(resourceCodes, ['Resource', 'Code'])}

### Every refusal

What a request about entities, accounts and their products is refused with.

${scenarioTable(refusals, ['sub_type'])}

### What cannot be seen

${table(
  ['What', 'Why'],
  Object.entries(unreachable).map(([what, why]) => [code(what), why]),
)}

## Accounts

Balances do not change when payments are made: a scenario stays what it is.

${accountTables}

## What is known of a person

| Product | What comes |
| --- | --- |
| ${code('credit_score')} | Stays pending until ${code('POST /simulate/entities/{ent}/credit_scores/{crs}')} gives it scores. With a subscription one comes on the first of each month by itself. |
| ${code('identity')} | Who the entity says they are, with a made-up number that begins with 9. ${Object.entries(
  candidates,
)
  .map(([phone, fits]) => `${code(phone)} fits ${fits.length} people (${fits.map(one => one.ssn).join(' and ')})`)
  .join('; ')} until the last four of the SSN say which. |
| ${code('attribute')} | Computed from the debts of the tables below. What there are no debts for has the error ${failure(27001)}. |
| ${code('vehicle')} | ${Object.entries(vehicles)
  .map(([phone, owned]) => `${code(phone)}: ${owned.map(one => `${one.year} ${one.make} ${one.model}`).join(', ')}`)
  .join('; ')}. Nobody else has one. |

${code('POST /simulate/entities/{ent}/connect')} with behaviors such as ${code('new_credit_card_account')} opens an account, which the next connect finds;
with a subscription to ${code('connect')} it is found at once. Of an entity whose person chose accounts in an element, and did not tick that
later ones are shared too, it waits for the next choice: ${code('entity.new_accounts_pending_consent')}, and ${code('GET /accounts?consent_status=pending')}. ${code('POST /simulate/entities/{ent}/attributes')} with ${code('new_soft_inquiry')} adds to
${code('credit_health_soft_inquiries')}. ${code('POST /simulate/events')} tells of something as if it had happened.

## A debt named by hand

${code('POST /accounts')} with a merchant of the list below and any number makes a liability account: the mask is the number's last four
digits, name and type come from the merchant's product. ${code(manual.mch_id)} with ${code(manual.number)} is
${products[manual.mch_id]!.name} ··${manual.number.slice(-4)}, ${code(products[manual.mch_id]!.type)}, ${code(products[manual.mch_id]!.sub_type ?? '')}.
A number of the tables above names that very debt, with its balance; any other gets a balance of its own that stays. An unknown merchant is refused.

## Updates

A direct update is as of now, a snapshot as of the first of the month. Payment dates go along with the sandbox clock, except at
${code(people.find(person => person.debts.some(debt => findDebt(debt)?.update))!.phone)} ··${maskOf(debts.find(debt => debt.update)!)}, where they are fixed. Each type has exactly these keys; what is not known is null.

${updateTable}

## What comes by itself

A subscription makes records as time goes by, each with the events of its product and a ${code('subscription.update')}, and ends at once
when it is ended, when its account is closed and when consent is withdrawn. Move the clock to see it: what happens in the days
that the clock jumps over is dated in those days, in order.

${subscriptionTable}

What happens, the same every month. ${openingTable}: to see one that waits for consent, connect by an element, leave its box for later accounts unticked, and enroll in ${code('connect')}.

${movesTable}

The day on which each account's statement is reported:

${dueTable}

## Payoffs

What is owed and the interest of the days, except where a scenario fixes it.

${payoffTable}

## What stands on a card

Verification sessions of type ${list(['instant', 'pre_auth', 'network'])} compare with this. Anything else is ${code('fail')}; the zip code
${code(unknownZip)} cannot be checked, which is ${code('unavailable')} and passes.

${cardTable}

${code('POST /simulate/accounts/{id}/card_brands')} turns a card whose account is subscribed to ${code('card_brand')} into any of these:

${brandTable}

## Where money comes from

Any routing number with a correct check digit works, such as ${code(achRouting)}. Accounts at
${code(trustedRouting)} are verified by ${code('trusted_provisioner')}, all others by ${code('auto_verify')}. The account number decides:

${table(
  ['Number', 'What happens'],
  achNumbers.map(row => [code(row.number), row.what]),
)}

## When a payment moves

The dates are those of the payment: ${code('source_settlement_date')} and ${code('destination_settlement_date')}, both business days. Times are
${timetable.zone}.

${table(
  ['Status', 'When'],
  [
    [code('pending'), 'until the window; the payment can be deleted'],
    [code('processing'), `at the first of ${timetable.windows.join(', ')} on the source date after it was made`],
    [code('sent'), `${timetable.sent} on the source date`],
    [code('failed'), `instead of sent, where the account number above says so`],
    [code('posted'), `${timetable.posted} on the destination date`],
    [
      `${code('reversal_required')} by the source`,
      `${timetable.disputed} on the day after the source date, instead of posted`,
    ],
    [
      `${code('reversal_required')} by the destination`,
      `${timetable.returned}, ${timetable.returnedAfterDays} days after the destination date, or as the account number above says`,
    ],
    [
      `${code('reversed')}, ${code('settled')} or ${code('partially_reversed')}`,
      `${timetable.sent} on the business day on which the reversal was approved, or the next one after the last window`,
    ],
  ],
)}

The source gets its trace id when the payment is processing, the destination when it is sent. ${code('POST /simulate/payments/{id}')} moves a
payment by hand. A reversal waits for ${code('PUT /payments/{id}/reversals/{rvs}')}, but for one of a part. Three payments
that fail with 10001 disable their account.

Once an account is disabled or closed, payments from it that are still pending are taken back: they fail with 10005 where a payment was not
authorized (the account's 11003, or 11006), else with 10007. One that has left goes its way.

## Managed accounts

Every team has one, with ${code('GET /managed_accounts')}: opened on Monday, January 5, 2026 with $100,000.00; every Monday a deposit comes
in and clears on the next day, every Wednesday payments settle, every Friday there is a fee. The amounts follow from the team and the day, and
have nothing to do with the payments of the team.

## The clock

Nothing has to be waited for. This moves your team's sandbox three days forward, and settlements, returns, expiries and
retries happen as if the time had passed:

\`\`\`
curl http://127.0.0.1:4000/simulate/clock -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"advance":"P3D"}'
\`\`\`

It only goes forward. Rate limits, signatures and the keeping of idempotency keys stay on real time.

## Faults

To see how your side copes, make a part of ours misbehave for your team for a while:

\`\`\`
curl http://127.0.0.1:4000/simulate/faults -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"target":"rail","mode":"flapping","for":"PT30S"}'
\`\`\`

${table(
  ['Mode', 'Effect'],
  Object.entries(faultModes).map(([mode, effect]) => [code(mode), effect]),
)}

Targets are ${list(['network', 'identity', 'rail', 'idempotency'])}. The last is not a part of the outside: while it is failing, posts with an
${code('Idempotency-Key')} are 503 and do nothing.

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
  console.error('docs/sandbox.md is out of date: run scripts/docs-sandbox.ts')
  process.exitCode = 1
}

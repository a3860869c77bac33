/**
 * Writes docs/sandbox.md from sandbox-template.md and the tables in apps/api/src/sandbox, so that the manual matches the
 * sandbox. In the template, `{{name}}` stands for the value with that name.
 *   tsx --conditions=source scripts/docs/docs-sandbox.ts            writes the page
 *   tsx --conditions=source scripts/docs/docs-sandbox.ts --check    fails if the page is out of date
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { calendar } from '../../apps/api/src/sandbox/debt-history.js'
import { faultModes } from '../../apps/api/src/sandbox/faults/faults.js'
import { findDebt, maskOf, payableOf, supportsOf } from '../../apps/api/src/sandbox/liabilities.js'
import { refusals, resourceCodes, statuses, unreachable } from '../../apps/api/src/sandbox/scenarios.js'
import { brandOf, cardProducts, printedOn } from '../../apps/api/src/sandbox/tables/card-products.js'
import { debts } from '../../apps/api/src/sandbox/tables/debts.js'
import * as inputs from '../../apps/api/src/sandbox/tables/inputs.js'
import { merchants, products } from '../../apps/api/src/sandbox/tables/institutions.js'
import { people } from '../../apps/api/src/sandbox/tables/people.js'
import { perRound, questions } from '../../apps/api/src/sandbox/tables/questions.js'
import { candidates, vehicles } from '../../apps/api/src/sandbox/tables/registers.js'
import { snapshotKeys, updateKeys } from '../../apps/api/src/sandbox/updates.js'
import { type ResourceErrorCode, resourceErrors } from '../../packages/contract/src/errors.js'
import { table } from './docs-table.js'
import {
  accountsWhere,
  accountTables,
  changeTable,
  clockTime,
  code,
  failure,
  list,
  openings,
  payoffTable,
  peopleTable,
  statementDayTable,
} from './sandbox-tables.js'

const page = new URL('../../docs/sandbox.md', import.meta.url)
const template = readFileSync(new URL('sandbox-template.md', import.meta.url), 'utf8')

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
const preauthTable = table(
  ['Last four digits', 'Ownership', 'Standing', 'Likelihood'],
  Object.entries(inputs.preauthCards).map(([last4, { ownership = 'match', standing = 'open', likelihood = 0.95 }]) => [
    code(last4),
    code(ownership),
    code(standing),
    String(likelihood),
  ]),
)
const { describedExample: example, fullNumber, timetable } = inputs
const exampleProduct = products[example.mch_id]!
const fixedUpdate = debts.find(debt => debt.update)!

const values: Readonly<Record<string, string | number>> = {
  people: peopleTable,
  firstPhone: people[0]!.phone,
  firstScenario: people[0]!.scenario,
  accounts: accountTables,

  incorrectCode: inputs.codes.incorrect,
  expiredCode: inputs.codes.expired,
  refusedPhone: inputs.refusedPhone,
  deniedPhone: inputs.deniedPhone,
  carrier: inputs.carrier,
  refusedName: inputs.refusedDetails.last_name,
  refusedSsn: inputs.refusedDetails.ssn_4,
  fullNumberDigits: `${fullNumber.least} to ${fullNumber.most}`,
  refusedNumberStart: fullNumber.refusedStart,
  questionsPerRound: perRound,
  questions: questions.length,

  refusedPayments: accountsWhere(debt => debt.rail === 'refuses'),
  returnedPayments: accountsWhere(debt => debt.rail === 'returns'),
  unpayableAccounts: accountsWhere(debt => payableOf(debt) === 'no' && !debt.closed_at),
  closedAccounts: accountsWhere(debt => debt.closed_at),
  statuses: scenarioTable(statuses, ['Resource', 'Status']),
  resourceErrors: scenarioTable(resourceCodes, ['Resource', 'Code']),
  requestErrors: scenarioTable(refusals, ['sub_type']),
  unavailable: table(
    ['What', 'Why'],
    Object.entries(unreachable).map(([what, why]) => [code(what), why]),
  ),
  error10009: failure(10009),
  error16001: failure(16001),
  error16002: failure(16002),
  error27001: failure(27001),

  candidates: Object.entries(candidates)
    .map(([phone, fits]) => `${code(phone)} matches ${fits.length} people (${fits.map(one => one.ssn).join(' and ')})`)
    .join('; '),
  vehicles: Object.entries(vehicles)
    .map(([phone, owned]) => `${code(phone)}: ${owned.map(one => `${one.year} ${one.make} ${one.model}`).join(', ')}`)
    .join('; '),

  exampleMerchant: example.mch_id,
  exampleNumber: example.number,
  exampleName: exampleProduct.name,
  exampleMask: example.number.slice(-4),
  exampleType: exampleProduct.type,
  exampleSubType: exampleProduct.sub_type ?? '',

  updates: updateTable,
  fixedUpdatePhone: people.find(person => person.debts.some(debt => findDebt(debt)?.update))!.phone,
  fixedUpdateMask: maskOf(fixedUpdate) ?? 'none',
  statementTime: clockTime(calendar.statement),
  postsTime: clockTime(calendar.posts),
  purchaseEvery: calendar.purchaseEvery,
  voidEvery: calendar.voidEvery,
  openings,
  changes: changeTable,
  statementDays: statementDayTable,
  payoffs: payoffTable,
  cards: cardTable,
  cardBrands: brandTable,
  preauthCards: preauthTable,
  unknownZip: inputs.unknownZip,

  routing: inputs.achRouting,
  trustedRouting: inputs.trustedRouting,
  achNumbers: table(
    ['Number', 'What happens'],
    inputs.achNumbers.map(row => [code(row.number), row.what]),
  ),
  timeZone: timetable.zone,
  windows: timetable.windows.join(', '),
  sentAt: timetable.sent,
  postedAt: timetable.posted,
  disputedAt: timetable.disputed,
  returnedAt: timetable.returned,
  returnedAfterDays: timetable.returnedAfterDays,
  faultModes: table(
    ['Mode', 'Effect'],
    Object.entries(faultModes).map(([mode, effect]) => [code(mode), effect]),
  ),
  merchants: merchantTable,
}

const filled = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
  if (values[name] === undefined) throw new Error(`sandbox-template.md names ${name}, which has no value`)
  return String(values[name])
})
const text = `<!-- Made by scripts/docs/docs-sandbox.ts from apps/api/src/sandbox. Do not edit. -->\n\n${filled}`

if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error('docs/sandbox.md is out of date: run scripts/docs/docs-sandbox.ts')
  process.exitCode = 1
}

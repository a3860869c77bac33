/** The data of one account: its balance, its details, and its number. */
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import { resourceCodes } from '@causeway/contract/errors'
import { DAY_MS } from '@causeway/contract/time'
import { fieldsOfBlock } from '@causeway/contract/update-fields'
import { debtType, fullNumber, type ItemData, readItemData, refreshItem, reportRefusal } from './accounts.js'
import { type Json, objectsOf, post } from './client.js'
import { findItem, type Item, listItems, readReference } from './items.js'
import { toCents, toDay, toPercent, toPositiveCents } from './money.js'
import type { Context } from './settings.js'

const failed = <Code extends number>(code: Code) => ({ status: 'failed', code }) as const

/** Institutions that give balances of cards only with the age that is accepted. */
const datedInstitutions = new Set(['ins_128026'])
const MAX_BALANCE_AGE_MS = 30 * DAY_MS

/** Finds an account that belongs to a linked item, and to the person. */
async function findAccount(context: Context, reference: string): Promise<{ item: Item; id: string } | null> {
  const ids = readReference(reference)
  const item = ids && (await findItem(context, ids.item))
  if (!item?.accounts[ids!.account]?.liability) return null
  return { item, id: ids!.account }
}

export async function discover(
  context: Context,
  { person }: CallOf<'network/discover'>,
): Promise<AnswerOf<'network/discover'>> {
  const liabilities: unknown[] = []
  for (const item of await listItems(context, person)) {
    const refreshed = await refreshItem(context, item)
    if ('refusal' in refreshed) {
      // The other institutions are found. This one is found again after its repair.
      reportRefusal(context, item, refreshed.refusal)
      continue
    }
    for (const { gone, liability } of Object.values(refreshed.item.accounts))
      if (gone === null && liability !== null) liabilities.push(liability)
  }
  return { status: 'completed', liabilities: liabilities as never[] }
}

export async function balance(
  context: Context,
  { account: reference }: CallOf<'network/balance'>,
): Promise<AnswerOf<'network/balance'>> {
  const unavailable = failed(resourceCodes.BALANCE_TEMPORARILY_UNAVAILABLE)
  const found = await findAccount(context, reference)
  if (!found) return unavailable
  const { item, id } = found
  const { value, refusal } = await post(context, '/accounts/balance/get', {
    access_token: item.token,
    options: {
      account_ids: [id],
      ...(datedInstitutions.has(item.institution) && {
        min_last_updated_datetime: new Date(context.now() - MAX_BALANCE_AGE_MS).toISOString().replace(/\.\d+Z$/, 'Z'),
      }),
    },
  })
  if (refusal) {
    if (refusal.kind !== 'later') reportRefusal(context, item, refusal)
    return unavailable
  }
  const account = objectsOf(value['accounts']).find(({ account_id }) => account_id === id)
  const amount = account ? owedCents(account) : null
  return amount === null ? unavailable : { status: 'completed', amount }
}

/** Returns the amount owed. A card that was overpaid owes less than nothing. Only dollars are read. */
function owedCents({ balances }: Json): number | null {
  const { current, available, limit, iso_currency_code } = (balances ?? {}) as Json
  if (iso_currency_code !== 'USD') return null
  const owed = toCents(current)
  if (owed !== null) return owed
  const [free, most] = [toCents(available), toCents(limit)]
  return free === null || most === null ? null : most - free
}

/** Returns the highest and the lowest of the rates of a card. Both are null if there are none. */
function ratesOf({ aprs }: Json): { max: number | null; min: number | null } {
  const rates = objectsOf(aprs).flatMap(({ apr_percentage }) => toPercent(apr_percentage) ?? [])
  return rates.length === 0 ? { max: null, min: null } : { max: Math.max(...rates), min: Math.min(...rates) }
}

/** Reads a term such as `30 year` or `180 months`, in months. */
function toMonths(term: unknown): number | null {
  const [, count, unit] = /^\s*(\d{1,3})\s*(year|month)/i.exec(typeof term === 'string' ? term : '') ?? []
  if (count === undefined) return null
  return Number(count) * (unit!.toLowerCase() === 'year' ? 12 : 1)
}

/** Returns the update block of an account: exactly the fields of its type, of which any may be null. */
function updateBlock(account: Json, details: ItemData['details']): Record<string, unknown> {
  const type = debtType(account) ?? 'loan'
  const { kind, data = {} } = details.get(String(account['account_id'])) ?? {}
  const balances = (account['balances'] ?? {}) as Json
  const isDollars = balances['iso_currency_code'] === 'USD'
  const inDollars = (value: unknown) => (isDollars ? toPositiveCents(value) : null)
  const { max, min } = ratesOf(data)
  const interest = (data['interest_rate'] ?? {}) as Json
  const rate = kind === 'mortgage' ? toPercent(interest['percentage']) : toPercent(data['interest_rate_percentage'])
  const rateType = kind === 'mortgage' ? interest['type'] : null
  const values: Record<string, unknown> = {
    sub_type: typeof account['subtype'] === 'string' ? account['subtype'].slice(0, 100) : null,
    opened_at: toDay(data['origination_date']),
    balance: owedCents(account),
    last_payment_amount: inDollars(data['last_payment_amount']),
    last_payment_date: toDay(data['last_payment_date']),
    next_payment_due_date: toDay(data['next_payment_due_date']),
    next_payment_minimum_amount: inDollars(data['minimum_payment_amount'] ?? data['next_monthly_payment']),
    available_credit: isDollars ? toCents(balances['available']) : null,
    credit_limit: inDollars(balances['limit']),
    interest_rate_percentage_max: max,
    interest_rate_percentage_min: min,
    interest_rate_percentage: rate,
    interest_rate_type: rateType === 'fixed' || rateType === 'variable' ? rateType : null,
    interest_rate_source: rate === null ? null : 'financial_institution',
    original_loan_amount: inDollars(data['origination_principal_amount']),
    term_length: toMonths(data['loan_term']),
    expected_payoff_date: toDay(data['expected_payoff_date'] ?? data['maturity_date']),
  }
  const names = fieldsOfBlock(type).filter(name => !name.startsWith('delinquent_'))
  return Object.fromEntries(names.map(name => [name, values[name] ?? null]))
}

/** Reads an account's block. Returns null if it can't be read now. */
export async function readUpdate(
  context: Context,
  reference: string,
): Promise<{ as_of: number; data: Record<string, unknown> } | null> {
  const found = await findAccount(context, reference)
  if (!found) return null
  const data = await readItemData(context, found.item)
  if ('refusal' in data) {
    if (data.refusal.kind !== 'later') reportRefusal(context, found.item, data.refusal)
    return null
  }
  const account = data.accounts.find(({ account_id }) => account_id === found.id)
  if (!account) return null
  const updated = Date.parse(String((account['balances'] as Json | null)?.['last_updated_datetime']))
  return { as_of: Number.isNaN(updated) ? context.now() : updated, data: updateBlock(account, data.details) }
}

/** Plaid has no monthly reports, so there are no snapshots. */
export async function update(
  context: Context,
  { account, source }: CallOf<'network/update'>,
): Promise<AnswerOf<'network/update'>> {
  const read = source === 'direct' ? await readUpdate(context, account) : null
  return read ? { status: 'completed', ...read } : failed(resourceCodes.UPDATE_TEMPORARILY_UNAVAILABLE)
}

/** Returns the number of a loan. Plaid has no card numbers. */
export async function sensitive(
  context: Context,
  { account }: CallOf<'network/sensitive'>,
): Promise<AnswerOf<'network/sensitive'>> {
  const found = await findAccount(context, account)
  const data = found && (await readItemData(context, found.item))
  if (data && 'refusal' in data) reportRefusal(context, found.item, data.refusal)
  const number = data && 'details' in data ? fullNumber(data.details.get(found.id)?.data) : null
  return { status: 'completed', number, exp_month: null, exp_year: null, billing_zip_code: null }
}

/** Returns true if the digits of a card number have a correct check digit. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Compares a number with what Plaid has: its last digits and, for a card, the check digit. */
export async function verifyNumber(
  context: Context,
  { account, number }: CallOf<'network/verify_number'>,
): Promise<AnswerOf<'network/verify_number'>> {
  const found = await findAccount(context, account)
  if (!found) return failed(resourceCodes.VERIFICATION_TYPE_NOT_SUPPORTED)
  const debt = found.item.accounts[found.id]!.liability as { type: string; mask: string | null; number: string | null }
  const digits = number.replace(/[ -]/g, '')
  const isCard = debt.type === 'credit_card'
  const hasShape = isCard ? /^\d{13,19}$/.test(digits) && hasCheckDigit(digits) : /^[\dA-Za-z]{4,30}$/.test(digits)
  const fits = debt.number === null ? digits.endsWith(debt.mask ?? '') : digits === debt.number
  return hasShape && fits ? { status: 'verified' } : failed(resourceCodes.INVALID_DETAILS)
}

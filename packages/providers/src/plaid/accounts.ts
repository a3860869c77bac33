/** Reads the accounts of an item, and which of them are the person's debts. */
import { createHash } from 'node:crypto'
import type { Liability } from '@causeway/connector/ports/liability'
import { indexBankAccounts } from './bank-accounts.js'
import { isId, type Json, objectsOf, post, type Refusal, refused, textOf, unreadable } from './client.js'
import { type Item, type KnownAccount, referenceOf, saveItem } from './items.js'
import type { Context } from './settings.js'
import { merchantOf } from './tables.js'

/** The data of an item now. The lists have the objects that Plaid sent, of which every member may be missing. */
export interface ItemData {
  accounts: Json[]
  /** The details of each debt that has any, by the account's id. */
  details: ReadonlyMap<string, { kind: 'credit' | 'mortgage' | 'student'; data: Json }>
}

const kindsOfDetails = ['credit', 'mortgage', 'student'] as const

/** Reads an item's accounts and the details of its debts. Institutions without details have accounts only. */
export async function readItemData(context: Context, { token }: Item): Promise<ItemData | { refusal: Refusal }> {
  const found = await post(context, '/liabilities/get', { access_token: token })
  const { value, refusal } =
    found.refusal?.kind === 'unsupported' || found.refusal?.kind === 'setup'
      ? await post(context, '/accounts/get', { access_token: token })
      : found
  if (refusal) return { refusal }
  if (!Array.isArray(value['accounts'])) throw unreadable()
  const details = new Map<string, { kind: (typeof kindsOfDetails)[number]; data: Json }>()
  const liabilities = (value['liabilities'] ?? {}) as Json
  for (const kind of kindsOfDetails)
    for (const data of objectsOf(liabilities[kind]))
      if (isId(data['account_id'])) details.set(data['account_id'], { kind, data })
  return { accounts: objectsOf(value['accounts']).filter(({ account_id }) => isId(account_id)), details }
}

/** The type of a debt, from the type and subtype of the account. Null for accounts that are not debts. */
export function debtType({ type, subtype }: Json): string | null {
  if (type === 'credit') return subtype === 'paypal' ? 'fintech' : subtype === 'line of credit' ? 'loan' : 'credit_card'
  if (type !== 'loan') return null
  const types: Record<string, string> = {
    student: 'student_loan',
    mortgage: 'mortgage',
    auto: 'auto_loan',
    consumer: 'personal_loan',
    personal: 'personal_loan',
  }
  return types[String(subtype)] ?? 'loan'
}

/** Returns the full account number, if Plaid has it. A masked one has other characters than digits. */
export function fullNumber(data: Json | undefined): string | null {
  const number = textOf(data?.['account_number'])?.replace(/[ -]/g, '') ?? ''
  return /^\d{5,30}$/.test(number) ? number : null
}

const digest = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)

/**
 * Returns the ids of debts that are equal for all of their holders. An institution without such ids has names and masks. Two
 * accounts of an item that these don't tell apart get ids of their own.
 */
function fingerprints({ institution }: Item, { accounts, details }: ItemData): Map<string, string> {
  const byAccount = new Map<string, string>()
  const used = new Set<string>()
  for (const account of accounts) {
    const { account_id, persistent_account_id, mask, type, subtype } = account
    const number = fullNumber(details.get(String(account_id))?.data)
    const name = textOf(account['official_name']) ?? textOf(account['name'])
    const own = textOf(persistent_account_id)
    const shared = own !== null ? digest(institution, 'id', own) : number !== null ? digest(institution, number) : null
    let fingerprint = shared ?? digest(institution, type, subtype, textOf(mask), name)
    if (used.has(fingerprint)) fingerprint = digest(institution, 'account', account_id)
    used.add(fingerprint)
    byAccount.set(String(account_id), fingerprint)
  }
  return byAccount
}

/** The number of characters of a mask that the service stores. */
const MASK_LENGTH = 4

function toLiability(
  context: Context,
  item: Item,
  account: Json,
  details: ItemData['details'],
  fingerprint: string,
  { score }: Pick<KnownAccount, 'score'>,
): Liability | null {
  const type = debtType(account)
  if (type === null) return null
  const id = String(account['account_id'])
  const found = details.get(id)
  const number = fullNumber(found?.data)
  const supports = ['balance', ...(found ? ['update'] : []), ...(number === null ? [] : ['sensitive'])]
  if (context.settings.PLAID_TRANSACTIONS === 'on' && type === 'credit_card') supports.push('transaction')
  return {
    reference: referenceOf(item.id, id),
    mch_id: merchantOf(item.institution),
    type,
    sub_type: textOf(account['subtype'], 100),
    name: textOf(account['official_name'], 200) ?? textOf(account['name'], 200) ?? item.institution_name,
    mask: textOf(account['mask'])?.slice(-MASK_LENGTH) ?? number?.slice(-MASK_LENGTH) ?? null,
    ownership: score !== null && score >= context.settings.PLAID_NAME_SCORE ? 'primary' : 'unknown',
    fingerprint,
    status: 'active',
    payable: number === null ? 'needs_number' : 'yes',
    supports: supports.sort(),
    number,
    card: type === 'credit_card' ? { exp_month: null, exp_year: null, billing_zip_code: null } : null,
  }
}

/** Returns true unless the owners of the account have other names. An institution without names says nothing. */
export const isOwn = ({ settings }: Pick<Context, 'settings'>, { score }: Pick<KnownAccount, 'score'>): boolean =>
  score === null || score >= settings.PLAID_NAME_SCORE

/** Returns the score of the person's name for each account. Accounts without names are missing. */
async function readScores(
  context: Context,
  { token, name }: Item,
): Promise<ReadonlyMap<string, number> | { refusal: Refusal }> {
  const scores = new Map<string, number>()
  if (name === null) return scores
  const { value, refusal } = await post(context, '/identity/match', {
    access_token: token,
    user: { legal_name: name },
  })
  if (refusal) return refusal.kind === 'unsupported' ? scores : { refusal }
  for (const { account_id, legal_name } of objectsOf(value['accounts'])) {
    const score = (legal_name as Json | null | undefined)?.['score']
    if (isId(account_id) && typeof score === 'number') scores.set(account_id, score)
  }
  return scores
}

/**
 * Reads an item, and stores which accounts it has now: new ones are checked against the person's name, and ones that
 * vanished are closed.
 * @returns the item's accounts as they are now stored, or the reason that Plaid does not give
 */
export async function refreshItem(
  context: Context,
  item: Item,
): Promise<{ item: Item; data: ItemData } | { refusal: Refusal }> {
  const data = await readItemData(context, item)
  if ('refusal' in data) return data
  const now = context.now()
  const isNew = data.accounts.some(({ account_id }) => item.accounts[String(account_id)] === undefined)
  const scores = isNew ? await readScores(context, item) : new Map<string, number>()
  if ('refusal' in scores) return scores
  const prints = fingerprints(item, data)
  const present = new Set<string>()
  const accounts: Record<string, KnownAccount> = {}
  for (const account of data.accounts) {
    const id = String(account['account_id'])
    present.add(id)
    const known = item.accounts[id]
    const score = known ? known.score : (scores.get(id) ?? null)
    const liability = isOwn(context, { score })
      ? toLiability(context, item, account, data.details, prints.get(id)!, { score })
      : null
    accounts[id] = { seen: known && known.gone === null ? known.seen : now, gone: null, score, liability }
  }
  for (const [id, known] of Object.entries(item.accounts))
    if (!present.has(id)) accounts[id] = { ...known, gone: known.gone ?? now }
  const refreshed = { ...item, accounts }
  if (JSON.stringify(accounts) !== JSON.stringify(item.accounts)) await saveItem(context, refreshed)
  if (isNew) await indexBankAccounts(context, refreshed)
  return { item: refreshed, data }
}

/** Reports an item that can't be read now. @throws if a later attempt may succeed */
export function reportRefusal({ log }: Context, item: Item, refusal: Refusal): void {
  if (refusal.kind === 'later' || refusal.kind === 'setup') throw refused(refusal)
  const event = refusal.kind === 'unknown' ? 'provider_error_unknown' : `item_${refusal.kind}`
  // Plaid's id is stored sealed, so the log has a digest.
  const external_id = createHash('sha256').update(item.id).digest('hex').slice(0, 12)
  log('warn', event, { external_id, code: refusal.code })
}

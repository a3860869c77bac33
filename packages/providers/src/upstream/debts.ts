/** Debts and their data, by the upstream's accounts and products. */
import type { Liability } from '@causeway/connector/ports/liability'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import { resourceCodes } from '@causeway/contract/errors'
import { sensitiveFields } from '@causeway/contract/products/sensitive'
import {
  codeOf,
  idOf,
  keyOf,
  list,
  listOf,
  type Members,
  members,
  read,
  request,
  runProduct,
  startProduct,
  textOf,
  unreadable,
} from './client.js'
import type { Context } from './settings.js'

/** The time between two queries for a credit score that is pending, in ms. */
const SCORE_POLL_MS = 5_000

const names = (value: unknown): string[] => listOf(value).filter(name => typeof name === 'string')

/** Returns a debt that the upstream has as an account. Its id is the reference. */
function readLiability(context: Context, account: Members): Liability {
  const debt = members(account['liability'])
  const reference = idOf(account)
  const { type, mch_id, name, ownership, fingerprint } = debt
  if (typeof type !== 'string' || typeof mch_id !== 'string' || typeof name !== 'string') throw unreadable()
  const products = names(account['products'])
  const restricted = names(account['restricted_products'])
  const hash = typeof fingerprint === 'string' && /^[0-9a-f]{40}$/.test(fingerprint) ? fingerprint : null
  const isPayable = products.includes('payment')
  return {
    reference,
    mch_id,
    type,
    sub_type: textOf(debt['sub_type']),
    name,
    mask: textOf(debt['mask']),
    ownership: ownership === 'primary' || ownership === 'authorized' || ownership === 'joint' ? ownership : 'unknown',
    fingerprint: hash ?? context.fingerprint(`account ${reference}`).slice(0, 40),
    status: account['status'] === 'active' ? 'active' : 'closed',
    payable: isPayable ? 'yes' : restricted.includes('payment') ? 'needs_number' : 'no',
    supports: [...products, ...restricted].filter(product => product !== 'payment'),
    number: null,
    card: null,
  }
}

const listAccounts = (context: Context, person: string) =>
  list(context, '/accounts', { holder_id: person, type: 'liability' })

export async function discover(
  context: Context,
  { person, request_id }: CallOf<'network/discover'>,
): Promise<AnswerOf<'network/discover'>> {
  const run = await runProduct(
    context,
    `/entities/${person}/connect`,
    {},
    request_id,
    resourceCodes.PRODUCT_EXECUTION_FAILED,
  )
  if (run.status === 'failed') return run
  const liabilities: Liability[] = []
  for await (const account of listAccounts(context, person)) liabilities.push(readLiability(context, account))
  return { status: 'completed', liabilities }
}

/** Returns an amount in cents. Throws if it is not one. */
function amountOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unreadable()
  return value
}

const timeOf = (value: unknown): number => {
  const at = Date.parse(typeof value === 'string' ? value : '')
  if (Number.isNaN(at)) throw unreadable()
  return at
}

export async function balance(
  context: Context,
  { account, request_id }: CallOf<'network/balance'>,
): Promise<AnswerOf<'network/balance'>> {
  const { BALANCE_TEMPORARILY_UNAVAILABLE: code } = resourceCodes
  const run = await runProduct(context, `/accounts/${account}/balances`, {}, request_id, code)
  return run.status === 'failed' ? run : { status: 'completed', amount: amountOf(run.record['amount']) }
}

const updateOf = (record: Members) => ({
  as_of: timeOf(record['data_as_of'] ?? record['created_at']),
  data: { ...members(record[String(record['type'])]) },
})

export async function update(
  context: Context,
  { account, source, request_id }: CallOf<'network/update'>,
): Promise<AnswerOf<'network/update'>> {
  const code = resourceCodes.UPDATE_TEMPORARILY_UNAVAILABLE
  // The upstream makes snapshots for its own subscriptions only.
  if (source === 'snapshot') return { status: 'failed', code }
  const run = await runProduct(context, `/accounts/${account}/updates`, {}, request_id, code)
  return run.status === 'failed' ? run : { status: 'completed', ...updateOf(run.record) }
}

export async function payoff(
  context: Context,
  { account, request_id }: CallOf<'network/payoff'>,
): Promise<AnswerOf<'network/payoff'>> {
  const code = resourceCodes.PAYOFF_TEMPORARILY_UNAVAILABLE
  const run = await runProduct(context, `/accounts/${account}/payoffs`, {}, request_id, code)
  if (run.status === 'failed') return run
  const { amount, term, per_diem_amount } = run.record
  return {
    status: 'completed',
    amount: amountOf(amount),
    term: typeof term === 'number' ? term : null,
    per_diem_amount: per_diem_amount === null ? null : amountOf(per_diem_amount),
  }
}

export async function sensitive(
  context: Context,
  { account, request_id }: CallOf<'network/sensitive'>,
): Promise<AnswerOf<'network/sensitive'>> {
  const code = resourceCodes.SENSITIVE_FAILED_VERIFICATION_REQUIRED
  const { type } = members((await read(context, `/accounts/${account}`))['liability'])
  const fields = Object.entries(sensitiveFields).find(([name]) => name === type)?.[1]
  if (!fields) return { status: 'failed', code }
  const expand = fields.filter(field => field !== 'cvv').map(field => `${type}.${field}`)
  const run = await runProduct(context, `/accounts/${account}/sensitive`, { expand }, request_id, code)
  if (run.status === 'failed') return run
  const { number, exp_month = null, exp_year = null, billing_zip_code = null } = members(run.record[String(type)])
  return {
    status: 'completed',
    number: textOf(number),
    exp_month: textOf(exp_month),
    exp_year: textOf(exp_year),
    billing_zip_code: textOf(billing_zip_code),
  }
}

/** Returns the values among these attributes. Those without a value are left out. */
function valuesOf(attributes: unknown, wanted: readonly string[]): Record<string, string | number | boolean> {
  const values: Record<string, string | number | boolean> = {}
  for (const name of wanted) {
    const { value } = members(members(attributes)[name])
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') values[name] = value
  }
  return values
}

export async function attributes(
  context: Context,
  { account, names: wanted, request_id }: CallOf<'network/attributes'>,
): Promise<AnswerOf<'network/attributes'>> {
  const code = resourceCodes.PRODUCT_EXECUTION_FAILED
  const run = await runProduct(context, `/accounts/${account}/attributes`, {}, request_id, code)
  return run.status === 'failed' ? run : { status: 'completed', values: valuesOf(run.record['attributes'], wanted) }
}

export async function entityAttributes(
  context: Context,
  { person, names: wanted, request_id }: CallOf<'network/entity_attributes'>,
): Promise<AnswerOf<'network/entity_attributes'>> {
  const code = resourceCodes.PRODUCT_EXECUTION_FAILED
  const run = await runProduct(context, `/entities/${person}/attributes`, {}, request_id, code)
  if (run.status === 'failed') return run
  const values = Object.entries(valuesOf(run.record['attributes'], wanted))
  return { status: 'completed', attributes: Object.fromEntries(values.map(([name, value]) => [name, { value }])) }
}

export async function creditScore(
  context: Context,
  { person, request_id }: CallOf<'network/credit_score'>,
): Promise<AnswerOf<'network/credit_score'>> {
  const code = resourceCodes.CREDIT_SCORE_FAILED_TEMPORARILY_UNAVAILABLE
  const run = await startProduct(context, `/entities/${person}/credit_scores`, {}, request_id, code)
  if (run.status === 'pending') return { ...run, again_in: SCORE_POLL_MS }
  return run.status === 'failed' ? run : { status: 'completed', scores: listOf(run.record['scores']) as never }
}

export async function vehicles(
  context: Context,
  { person, request_id }: CallOf<'network/vehicles'>,
): Promise<AnswerOf<'network/vehicles'>> {
  const code = resourceCodes.PRODUCT_EXECUTION_FAILED
  const run = await runProduct(context, `/entities/${person}/vehicles`, {}, request_id, code)
  return run.status === 'failed' ? run : { status: 'completed', vehicles: listOf(run.record['vehicles']) as never }
}

/** The upstream's session that proves an account's number. An account has at most one that is open. */
interface NumberRow {
  session: string
  /** The fingerprint of the number that was entered last. */
  number: string
}

const isOpen = ({ status }: Members) => status === 'pending' || status === 'in_progress'

/** Begins a session, or finds the open one. Null if the account can't be proved by its number. */
async function openNumberSession(context: Context, path: string, request_id: string): Promise<string | null> {
  const begun = await request(context, 'POST', path, {
    body: { type: 'standard', standard: {} },
    key: keyOf(path, request_id),
  })
  if (begun.ok && isOpen(await read(context, `${path}/${idOf(begun.value)}`))) return idOf(begun.value)
  for await (const session of list(context, path))
    if (session['type'] === 'standard' && isOpen(session)) return idOf(session)
  return null
}

/** Proves a number by a verification session of the upstream. */
export async function verifyNumber(
  context: Context,
  { account, number, request_id }: CallOf<'network/verify_number'>,
): Promise<AnswerOf<'network/verify_number'>> {
  const path = `/accounts/${account}/verification_sessions`
  const fingerprint = context.fingerprint(`number ${number}`)
  const row = (await context.store.get('number', account)) as NumberRow | undefined
  const last = row && (await read(context, `${path}/${row.session}`))
  // The answer to an earlier request was lost.
  if (last?.['status'] === 'verified' && row?.number === fingerprint) return { status: 'verified' }
  const id = last && isOpen(last) ? row!.session : await openNumberSession(context, path, request_id)
  if (id === null) return { status: 'failed', code: resourceCodes.VERIFICATION_TYPE_NOT_SUPPORTED }
  await context.store.put('number', account, { session: id, number: fingerprint } satisfies NumberRow)
  const reply = await request(context, 'PUT', `${path}/${id}`, { body: { type: 'standard', standard: { number } } })
  const session = reply.ok ? reply.value : {}
  return session['status'] === 'verified'
    ? { status: 'verified' }
    : { status: 'failed', code: codeOf(session['error'], resourceCodes.INVALID_DETAILS) }
}

interface FeedPage {
  path: string
  /** Reads a change. Null if the record has none. */
  readChange(record: Members): object | null
}

const feeds = (context: Context, of: string): Record<string, FeedPage> => ({
  update: {
    path: `/accounts/${of}/updates`,
    readChange: record => (record['status'] === 'completed' ? { type: 'update', data: updateOf(record).data } : null),
  },
  transaction: {
    path: `/accounts/${of}/transactions`,
    readChange: ({ status, descriptor, merchant_category_code, amount, currency_code, transacted_at }) => ({
      type: 'transaction',
      posting: {
        status,
        descriptor: textOf(descriptor) ?? '',
        merchant_category_code: textOf(merchant_category_code) ?? '',
        amount: amountOf(amount),
        currency_code: textOf(currency_code) ?? 'USD',
        transacted_at: timeOf(transacted_at),
      },
    }),
  },
  account: {
    path: '/accounts',
    readChange: account => ({ type: 'account', liability: readLiability(context, account) }),
  },
})

/** Subscribes at the upstream once, so that it keeps the data current. */
async function enroll(context: Context, base: string, product: string): Promise<void> {
  const row = `${base} ${product}`
  if (await context.store.get('enrolled', row)) return
  const reply = await request(context, 'POST', `${base}/subscriptions`, {
    body: { enroll: product },
    key: keyOf('enroll', row),
  })
  if (reply.ok) await context.store.put('enrolled', row, true, { days: 30 })
}

/** Lists what is new at the upstream, by the time and the id of its records. */
export async function changes(
  context: Context,
  { kind, of, from, since, until, limit }: CallOf<'network/changes'>,
): Promise<AnswerOf<'network/changes'>> {
  const feed = feeds(context, of)[kind]
  if (!feed) return { status: 'completed', changes: [], cursor: since, next: null }
  await enroll(
    context,
    kind === 'account' ? `/entities/${of}` : `/accounts/${of}`,
    kind === 'account' ? 'connect' : kind,
  )
  const query: Record<string, string> = kind === 'account' ? { holder_id: of, type: 'liability' } : {}
  const found: { order: string; at: number; record: Members }[] = []
  for await (const record of list(context, feed.path, query)) {
    const at = timeOf(record['created_at'])
    const order = `${String(at).padStart(15, '0')} ${idOf(record)}`
    // The list begins with the latest record.
    if (at <= from || (since !== null && order <= since)) break
    if (at <= until) found.push({ order, at, record })
  }
  const page = found.reverse().slice(0, limit)
  return {
    status: 'completed',
    changes: page.flatMap(({ record, at }) => {
      const change = feed.readChange(record)
      return change ? [{ id: idOf(record), at, ...change } as never] : []
    }),
    cursor: page.at(-1)?.order ?? since,
    next: null,
  }
}

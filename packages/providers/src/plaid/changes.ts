/** The feeds of changes: new debts, new details, and card transactions. */
import { createHash } from 'node:crypto'
import type { CardPosting, NetworkChange } from '@causeway/connector/ports/feed'
import type { Liability } from '@causeway/connector/ports/liability'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import { refreshItem, reportRefusal } from './accounts.js'
import { isId, isObject, type Json, objectsOf, post, refused, textOf, unreadable } from './client.js'
import { readUpdate } from './data.js'
import { findItem, listItems, readReference } from './items.js'
import { toCents } from './money.js'
import type { Context } from './settings.js'

type Call = CallOf<'network/changes'>
type Answer = Extract<AnswerOf<'network/changes'>, { status: 'completed' }>

const PAGE_SIZE = 500
/** The maximum number of pages that one call reads. The next call continues. */
const MAX_PAGES = 2

const nothing = (cursor: string | null): Answer => ({ status: 'completed', changes: [], cursor, next: null })

export async function changes(context: Context, call: Call): Promise<AnswerOf<'network/changes'>> {
  switch (call.kind) {
    case 'account':
      return readAccounts(context, call)
    case 'update':
      return readUpdates(context, call)
    case 'transaction':
      return readTransactions(context, call)
    default:
      return nothing(call.since)
  }
}

/** Lists the debts that appeared or vanished. A new one is found when its item is read, and keeps that time. */
async function readAccounts(context: Context, { of, from, until, since }: Call): Promise<Answer> {
  const found: NetworkChange[] = []
  const after = Math.max(from, since === null ? from : Number(since) || from)
  for (const item of await listItems(context, of)) {
    const refreshed = await refreshItem(context, item)
    if ('refusal' in refreshed) {
      reportRefusal(context, item, refreshed.refusal)
      continue
    }
    for (const [id, { seen, gone, liability }] of Object.entries(refreshed.item.accounts)) {
      if (liability === null) continue
      const debt = liability as Liability
      const changed = gone ?? seen
      const status = gone === null ? 'active' : 'closed'
      if (changed > after && changed <= until)
        found.push({
          type: 'account',
          id: `${id}.${status}.${changed}`,
          at: changed,
          liability: { ...debt, status, payable: gone === null ? debt.payable : 'no' },
        })
    }
  }
  found.sort((a, b) => a.at - b.at)
  return { status: 'completed', changes: found, cursor: String(found.at(-1)?.at ?? after), next: null }
}

/** Returns one change if the details differ from those of the cursor. */
async function readUpdates(context: Context, { of, from, until, since }: Call): Promise<Answer> {
  const read = await readUpdate(context, of)
  if (!read) return nothing(since)
  const hash = createHash('sha256').update(JSON.stringify(read.data)).digest('hex').slice(0, 40)
  if (hash === since) return nothing(since)
  const at = Math.min(Math.max(read.as_of, from + 1), until)
  return {
    status: 'completed',
    changes: [{ type: 'update', id: `${hash}.${at}`, at, data: read.data }],
    cursor: hash,
    next: null,
  }
}

/** The stored part of a transaction, to report its removal: Plaid then says only its id. */
interface KnownTransaction {
  /** The id of the change: that of the pending transaction, if there was one. */
  change: string
  posting: CardPosting
  /** True after a posted transaction took its place. */
  replaced?: true
}

interface Page {
  added: Json[]
  removed: Json[]
  cursor: string
  hasMore: boolean
}

/** Reads the pages after a cursor. If the data changes meanwhile, Plaid wants them read again from the same cursor. */
async function readPages(context: Context, token: string, account: string, since: string | null): Promise<Page | null> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const all: Page = { added: [], removed: [], cursor: since ?? '', hasMore: true }
    let isMutated = false
    for (let pages = 0; pages < MAX_PAGES && all.hasMore; pages++) {
      const { value, refusal } = await post(context, '/transactions/sync', {
        access_token: token,
        ...(all.cursor !== '' && { cursor: all.cursor }),
        count: PAGE_SIZE,
        options: { account_id: account },
      })
      isMutated = refusal?.code === 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION'
      if (isMutated) break
      if (refusal?.code === 'PRODUCT_NOT_READY' || refusal?.kind === 'unsupported') return null
      if (refusal) throw refused(refusal)
      const { next_cursor: cursor, has_more } = value
      if (typeof cursor !== 'string' || cursor.length > 2_000) throw unreadable()
      all.added.push(...objectsOf(value['added']), ...objectsOf(value['modified']))
      all.removed.push(...objectsOf(value['removed']))
      all.cursor = cursor
      all.hasMore = has_more === true
    }
    if (!isMutated) return all
  }
  throw refused({ code: 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION', kind: 'later' })
}

/** Reads when a transaction took place, from the most precise member. */
function timeOf(transaction: Json): number | null {
  for (const name of ['authorized_datetime', 'datetime', 'authorized_date', 'date']) {
    const time = Date.parse(String(transaction[name]))
    if (!Number.isNaN(time)) return time
  }
  return null
}

function toPosting(transaction: Json): CardPosting | null {
  const amount = toCents(transaction['amount'])
  const time = timeOf(transaction)
  if (amount === null || time === null) return null
  return {
    status: transaction['pending'] === true ? 'pending' : 'posted',
    descriptor: textOf(transaction['merchant_name'], 200) ?? textOf(transaction['name'], 200) ?? '',
    merchant_category_code: textOf(transaction['merchant_category_code'], 4) ?? '',
    amount,
    currency_code:
      textOf(transaction['iso_currency_code'], 10) ?? textOf(transaction['unofficial_currency_code'], 10) ?? 'USD',
    transacted_at: time,
  }
}

/**
 * Lists the transactions of one account. Plaid's own cursor is the feed's cursor. A posted transaction keeps the id of the
 * pending one, which Plaid removes.
 */
async function readTransactions(context: Context, { of, from, until, since }: Call): Promise<Answer> {
  const ids = readReference(of)
  const item = ids && (await findItem(context, ids.item))
  if (!item?.accounts[ids!.account]?.liability) return nothing(since)
  const page = await readPages(context, item.token, ids!.account, since)
  if (!page) return nothing(since)
  const { store } = context
  const key = (id: string) => `${ids!.account}.${id}`
  const find = async (id: string) => {
    const row = await store.get('transaction', key(id))
    return isObject(row) ? (row as unknown as KnownTransaction) : undefined
  }
  const found = new Map<string, NetworkChange>()
  const report = (change: string, posting: CardPosting) => {
    const at = Math.min(Math.max(posting.transacted_at, from + 1), until)
    found.set(change, { type: 'transaction', id: change, at, posting })
  }
  const firstDay = Date.parse(new Date(from).toISOString().slice(0, 10))
  for (const transaction of page.added) {
    const { transaction_id: id, pending_transaction_id: pending, account_id } = transaction
    const posting = toPosting(transaction)
    if (!isId(id) || !posting || account_id !== ids!.account || posting.transacted_at < firstDay) continue
    const earlier = isId(pending) ? await find(pending) : undefined
    const change = earlier?.change ?? (await find(id))?.change ?? (isId(pending) ? pending : id)
    await store.put('transaction', key(id), { change, posting } satisfies KnownTransaction)
    if (isId(pending))
      await store.put('transaction', key(pending), { change, posting, replaced: true } satisfies KnownTransaction)
    report(change, posting)
  }
  for (const { transaction_id: id } of page.removed) {
    const known = isId(id) ? await find(id) : undefined
    if (known && !known.replaced) report(known.change, { ...known.posting, status: 'voided' })
  }
  const list = [...found.values()].sort((a, b) => a.at - b.at)
  return { status: 'completed', changes: list, cursor: page.cursor, next: page.hasMore ? context.now() : null }
}

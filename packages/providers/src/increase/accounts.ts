import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { RailAccount } from '@causeway/connector/ports/rail'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import { DAY_MS } from '@causeway/contract/time'
import { type Caller, list, read } from './client.js'
import type { Context } from './settings.js'

/** The account at Increase from which a payment leaves, and the number that the payment shows. */
export interface SourceAccount {
  account_id: string
  account_number_id: string
}

/** The maximum number of accounts that one team pays from. */
const MAX_ACCOUNTS = 100
/** The maximum number of transactions that a page can be away from the latest one. */
const MAX_TRANSACTIONS = 10_000

/**
 * Finds the account at Increase whose number is the source's. The team has verified that it controls the number, so the
 * account is the team's own.
 */
export async function findSource(
  context: Context,
  { routing, number }: Pick<RailAccount, 'routing' | 'number'>,
): Promise<SourceAccount | null> {
  if (routing === null || number === null) return null
  const key = context.fingerprint(`${routing} ${number}`)
  const stored = await context.store.get('account_number', key)
  if (stored) return stored as SourceAccount
  for await (const { id, account_id, ...each } of list(context, '/account_numbers')) {
    if (each['account_number'] !== number || each['routing_number'] !== routing || each['status'] !== 'active') continue
    const source = { account_id: String(account_id), account_number_id: String(id) }
    await addTeamAccount(context, source.account_id)
    return (await context.store.claim('account_number', key, source)) as SourceAccount
  }
  return null
}

/** Adds an account to the team's list, one row for each, so that two calls at once lose none. */
async function addTeamAccount({ store }: Context, id: string): Promise<void> {
  for (let row = 0; row < MAX_ACCOUNTS; row++) if ((await store.claim('team_account', String(row), id)) === id) return
}

/** The ids of the accounts that this team has paid from. Other teams' accounts have the same API key. */
export async function teamAccounts({ store }: Context): Promise<string[]> {
  const ids: string[] = []
  for (let row = 0; row < MAX_ACCOUNTS; row++) {
    const id = await store.get('team_account', String(row))
    if (typeof id !== 'string') break
    ids.push(id)
  }
  return ids
}

export async function readBalance(caller: Caller, account: string): Promise<{ current: number; available: number }> {
  const balance = await read(caller, `/accounts/${account}/balance`)
  const [current, available] = [balance?.['current_balance'], balance?.['available_balance']]
  if (!Number.isSafeInteger(current) || !Number.isSafeInteger(available))
    throw new OutsideError('Increase did not answer: the balance is missing.', { outcome: 'nothing' })
  return { current: current as number, available: available as number }
}

export async function readAccountName(caller: Caller, account: string): Promise<string> {
  return String((await read(caller, `/accounts/${account}`))?.['name'] ?? '')
}

export async function managedAccounts(context: Context): Promise<AnswerOf<'rail/managed_accounts'>> {
  const accounts = []
  for (const id of await teamAccounts(context)) {
    const account = await read(context, `/accounts/${id}`)
    if (account?.['status'] !== 'open') continue
    for await (const each of list(context, '/account_numbers', { account_id: id })) {
      if (each['status'] !== 'active') continue
      const { current, available } = await readBalance(context, id)
      accounts.push({
        id: `macc_${id}`,
        routing: String(each['routing_number']),
        number: String(each['account_number']),
        current_balance: current,
        available_balance: available,
        opened_at: Date.parse(String(account['created_at'])),
      })
      break
    }
  }
  return { accounts }
}

/** Returns the filter for transactions between two days, inclusive, in UTC. */
export const betweenDays = (from: string | null, to: string | null): Record<string, string> => ({
  ...(from !== null && { 'created_at.after': new Date(Date.parse(from) - 1).toISOString() }),
  ...(to !== null && { 'created_at.before': new Date(Date.parse(to) + DAY_MS).toISOString() }),
})

export async function managedTransactions(
  context: Context,
  { account, from, to, start, limit }: CallOf<'rail/managed_transactions'>,
): Promise<AnswerOf<'rail/managed_transactions'>> {
  const id = account.replace(/^macc_/, '')
  const none = { transactions: [], next: null, previous: null }
  // mutant: transactions-belong-to-the-team (false)
  if (!(await teamAccounts(context)).includes(id)) return none
  const transactions: { id: string; description: string; date: string; amount: number }[] = []
  let first = start === null ? 0 : -1
  for await (const each of list(context, '/transactions', { account_id: id, ...betweenDays(from, to) })) {
    const transaction = {
      id: `macc_txn_${each['id']}`,
      description: String(each['description']).slice(0, 1_000),
      date: String(each['created_at']).slice(0, 10),
      amount: Number(each['amount']),
    }
    if (transaction.id === start) first = transactions.length
    transactions.push(transaction)
    if ((first >= 0 && transactions.length > first + limit) || transactions.length > MAX_TRANSACTIONS) break
  }
  if (first < 0) return none
  return {
    transactions: transactions.slice(first, first + limit),
    next: transactions[first + limit]?.id ?? null,
    previous: first > 0 ? transactions[Math.max(0, first - limit)]!.id : null,
  }
}

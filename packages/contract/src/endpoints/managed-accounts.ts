import { z } from 'zod'
import { endpoint, type Family, paging } from '../declaration/endpoint.js'
import { MAX_AMOUNT } from '../money.js'
import { managedAccount, managedTransaction } from '../resources/managed-account.js'

/** Includes the fields that only older versions return. */
const account = {
  id: 'macc_4kYq8ZbT1mXe5',
  routing: '062103000',
  number: '80012345678',
  current_balance: 12_500_000,
  available_balance: 12_000_000,
  opened_at: '2026-01-05T00:00:00.000Z',
}
const transaction = {
  id: 'macc_txn_4kYq8ZbT1mXe6',
  managed_account_id: account.id,
  description: 'Deposit',
  date: '2026-03-02',
  amount: 5_000_000,
}

export const endpoints = {
  listManagedAccounts: endpoint({
    method: 'GET',
    path: '/managed_accounts',
    scope: 'sensitive',
    summary: 'List managed accounts',
    description:
      'Returns all managed accounts in one page. The list is empty if the rail holds no accounts for the team. Each read is audited.',
    answer: managedAccount,
    shape: 'list',
    example: { answer: [account] },
  }),
  retrieveManagedAccount: endpoint({
    method: 'GET',
    path: '/managed_accounts/:macc_id',
    scope: 'sensitive',
    summary: 'Retrieve a managed account',
    answer: managedAccount,
    example: { answer: account },
  }),
  listManagedAccountTransactions: endpoint({
    method: 'GET',
    path: '/managed_accounts/:macc_id/transactions',
    summary: 'List the transactions of a managed account',
    description: 'Transactions are returned newest first. Supports only `page_cursor`; `page` is rejected.',
    query: {
      page_limit: paging.page_limit,
      page_cursor: paging.page_cursor,
      from_date: z.iso.date().describe('Only transactions on or after this day'),
      to_date: z.iso.date().describe('Only transactions on or before this day'),
    },
    answer: managedTransaction,
    shape: 'list',
    example: { answer: [transaction] },
  }),
}

/** The maximum number of transactions that a team can simulate. */
export const MAX_SIMULATED_TRANSACTIONS = 1_000

/** A simulated transaction of a managed account. */
export const managedAccountSimulations = {
  simulateManagedAccountTransaction: endpoint({
    method: 'POST',
    path: '/simulate/managed_accounts/:macc_id/transactions',
    summary: 'Simulate a transaction of a managed account',
    description: `Changes the balance of the account and is listed with its transactions. A deposit clears the next day. A team can simulate at most ${MAX_SIMULATED_TRANSACTIONS} transactions.`,
    body: z.object({
      type: z.enum(['deposit', 'withdraw']),
      amount: z.int().min(1).max(MAX_AMOUNT).describe('In cents'),
    }),
    answer: managedTransaction,
    example: {
      request: { type: 'deposit', amount: 5_000_000 },
      answer: { ...transaction, description: 'Simulated deposit' },
    },
  }),
}

export const managedAccountFamily: Family = {
  name: 'Managed accounts',
  about: "Accounts at the rail that hold the team's own money. Read-only.",
  endpoints,
}

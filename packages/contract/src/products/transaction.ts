import { z } from 'zod'
import { endpoint, paging } from '../declaration/endpoint.js'
import { liability, times } from '../declaration/examples.js'
import { timestamp } from '../fields/shared.js'
import { product } from './product.js'

/** A card purchase. Amounts are in cents. `transaction_*` fields use the local currency of the purchase. */
const transaction = z.object({
  id: z.string(),
  account_id: z.string(),
  status: z.enum(['pending', 'posted', 'voided']),
  descriptor: z.string(),
  merchant: z.object({ name: z.string(), logo: z.string().nullable() }).nullable(),
  merchant_category_code: z.string(),
  amount: z.int(),
  auth_amount: z.int(),
  currency_code: z.string(),
  transaction_amount: z.int(),
  transaction_auth_amount: z.int(),
  transaction_currency_code: z.string(),
  transacted_at: timestamp,
  posted_at: timestamp.nullable(),
  voided_at: timestamp.nullable(),
  original_txn_id: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})

const example = {
  id: 'txn_4kYq8ZbT1mXe5',
  account_id: liability.id,
  status: 'posted',
  descriptor: 'CORNER BOTTLE SHOP',
  merchant: null,
  merchant_category_code: '5182',
  amount: 2499,
  auth_amount: 2499,
  currency_code: 'USD',
  transaction_amount: 2499,
  transaction_auth_amount: 2499,
  transaction_currency_code: 'USD',
  transacted_at: times.created_at,
  posted_at: times.created_at,
  voided_at: null,
  original_txn_id: null,
  ...times,
}

const unread = [
  'PRODUCT_UNAVAILABLE',
  'TEAM_CAPABILITY_RESTRICTED',
  'PRODUCT_CONSENT_MISSING',
  'PRODUCT_VERIFICATION_MISSING',
] as const

export const transactions = {
  listTransactions: endpoint({
    method: 'GET',
    path: '/accounts/:acc_id/transactions',
    summary: 'List transactions',
    query: paging,
    answer: transaction,
    shape: 'list',
    errors: unread,
    example: { answer: [example] },
  }),
  retrieveTransaction: endpoint({
    method: 'GET',
    path: '/accounts/:acc_id/transactions/:id',
    summary: 'Retrieve a transaction',
    answer: transaction,
    errors: unread,
    example: { answer: example },
  }),
}

export const transactionProduct = product({
  holder: 'account',
  name: 'transaction',
  path: 'transactions',
  prefixes: { transaction: 'txn_' },
  events: ['transaction.create', 'transaction.update'],
  resource: ['Transaction', transaction],
  expanded: {
    transactions: z.array(transaction).optional().describe('Returned only if expanded'),
    transaction: z.array(transaction).optional().describe('An alias of transactions. Returned only if expanded'),
  },
  enrollable: ['transaction'],
  element: 'transactions',
  shares: 'purchases',
  title: 'Transactions',
  about: 'Card purchases made since the account was subscribed to `transaction`.',
  endpoints: transactions,
})

/** A simulated card purchase. */
export const transactionSimulations = {
  simulateTransaction: endpoint({
    method: 'POST',
    path: '/simulate/accounts/:acc_id/transactions',
    summary: 'Make a purchase with a card',
    description: 'The account must be subscribed to `transaction`.',
    body: z.object({
      amount: z.int().min(1).max(100_000_000).optional().describe('In cents'),
      type: z.enum(['purchase']).optional(),
      merchant_name: z.string().min(1).max(100).nullish(),
    }),
    answer: transaction,
    errors: ['SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION'],
    example: { request: { amount: 2499 }, answer: example },
  }),
}

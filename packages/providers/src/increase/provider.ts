import { provider } from '@causeway/connector/provider/provider'
import { managedAccounts, managedTransactions } from './accounts.js'
import { check } from './check.js'
import { deposit, depositStatus, findDeposits } from './deposits.js'
import { read, verify } from './hooks.js'
import { accepts, cancel, findCancellation, findSubmission, status, submit } from './payments.js'
import { findReversal, reversal, reverse } from './reversals.js'
import { baseUrl, environment, settings } from './settings.js'
import { statement } from './statement.js'

/**
 * Increase, the bank API that moves money by ACH and by check. Payments leave from the lender's own account at
 * Increase, so they have one leg.
 */
export const increase = provider({
  name: 'increase',
  title: 'Increase',
  settings,
  hosts: values => [baseUrl(values), ...(values.INCREASE_CARD_PUSH === 'on' ? [values.INCREASE_VAULT_URL] : [])],
  environment,
  provides: {
    'rail/accepts': accepts,
    'rail/submit': submit,
    'rail/cancel': cancel,
    'rail/status': status,
    'rail/reverse': reverse,
    'rail/reversal': reversal,
    'rail/managed_accounts': managedAccounts,
    'rail/managed_transactions': managedTransactions,
    'network/deposit': deposit,
    'network/deposit_status': depositStatus,
  },
  outcomes: {
    'rail/submit': { find: findSubmission, duplicates: 'never' },
    'rail/cancel': { find: findCancellation, duplicates: 'never' },
    'rail/reverse': { find: findReversal, duplicates: 'never' },
    'network/deposit': { find: findDeposits, duplicates: 'never' },
  },
  hooks: { verify, read },
  statement,
  capabilities: ({ INCREASE_CARD_PUSH }) => ({
    routes: ['ach', 'check', ...(INCREASE_CARD_PUSH === 'on' ? (['card_push'] as const) : [])],
  }),
  check,
  proven: { level: 'emulator', on: '2026-11-29' },
})

import type { Terms } from '@causeway/contract/allocations'
import { ServiceError } from '@causeway/contract/errors'
import { MAX_AMOUNT, MIN_AMOUNT } from '@causeway/contract/money'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { blankConfig as blank, type SessionConfig } from './session.js'

const accountTypes = z
  .array(z.enum(['credit_card', 'auto_loan', 'mortgage', 'student_loan', 'personal_loan', 'loan']))
  .min(1)
const products = z.array(z.enum(['balance', 'payoff', 'transactions', 'card_brand', 'update', 'sensitive', 'payment']))
const skipPii = z.array(z.enum(['name', 'dob', 'address', 'ssn_4'])).optional()
const ids = (prefix: string) =>
  z.array(z.string().startsWith(prefix, `must be an id, which begins with ${prefix} here.`)).max(500)

const opalFilters = z
  .strictObject({
    include: z
      .strictObject({ account_types: accountTypes.optional(), products: products.min(1).optional() })
      .optional(),
    exclude: z
      .strictObject({
        account_types: accountTypes.optional(),
        mch_ids: ids('mch_').optional(),
        unverified_account_numbers: z.boolean().optional(),
      })
      .optional(),
  })
  .optional()

const elementConnect = z.strictObject({
  products: products.optional(),
  accounts: ids('acc_').min(1).optional(),
  entity: z.unknown().optional(),
  account_filters: z
    .strictObject({
      selection_type: z.enum(['single', 'multiple', 'all']).optional(),
      liability_types: accountTypes.optional(),
    })
    .optional(),
})

const opalConnect = z.strictObject({
  selection_type: z.enum(['single', 'multiple', 'all']).optional(),
  account_filters: opalFilters,
  skip_pii: skipPii,
})

const cents = z.int('must be a whole number of cents.')
const balanceTransfer = z.strictObject({
  loan_amount: cents.min(MIN_AMOUNT).max(MAX_AMOUNT),
  minimum_payment: cents.min(MIN_AMOUNT).max(MAX_AMOUNT).optional(),
  maximum_payment: cents.min(MIN_AMOUNT).max(MAX_AMOUNT).optional(),
  residual_amount_max: cents.min(0).max(MAX_AMOUNT).optional(),
  account_filters: opalFilters,
  skip_pii: skipPii,
  allow_over_balance: z.boolean().optional(),
})

const identity = z.strictObject({ skip_pii: skipPii })

const cardConnect = z.strictObject({
  selection_type: z.enum(['single', 'multiple']),
  account_filters: z
    .strictObject({
      exclude: z
        .strictObject({ mch_ids: ids('mch_').optional(), unverified_account_numbers: z.boolean().optional() })
        .optional(),
    })
    .optional(),
  skip_pii: skipPii,
})

const accountVerification = z.strictObject({
  account_id: z.string().startsWith('acc_', 'must be an id, which begins with acc_ here.').max(64),
  intent: z.enum(['data', 'payments', 'transactions']).optional(),
})

function filters(given: z.infer<typeof opalFilters>): Pick<SessionConfig, 'include' | 'exclude'> {
  return {
    include: { account_types: given?.include?.account_types ?? null, products: given?.include?.products ?? null },
    exclude: {
      account_types: given?.exclude?.account_types ?? [],
      mch_ids: given?.exclude?.mch_ids ?? [],
      unverified_account_numbers: given?.exclude?.unverified_account_numbers ?? false,
    },
  }
}

/** The `connect` block of an element token. */
export function readElementConnect(value: unknown): SessionConfig {
  const given = parse(elementConnect, value ?? {}, 'connect')
  const types = given.account_filters?.liability_types
  return {
    ...blank,
    kind: given.account_filters?.selection_type ?? 'multiple',
    products: given.products ?? [],
    accounts: given.accounts ?? null,
    include: { account_types: types ?? null, products: null },
  }
}

/** The `connect` block of an Opal token. */
export function readOpalConnect(value: unknown): SessionConfig {
  const given = parse(opalConnect, value ?? {}, 'connect')
  return {
    ...blank,
    ...filters(given.account_filters),
    kind: given.selection_type ?? 'all',
    skip_pii: given.skip_pii ?? [],
  }
}

/** The `identity_verification` block of an Opal token. */
export function readIdentity(value: unknown): SessionConfig {
  return { ...blank, skip_pii: parse(identity, value ?? {}, 'identity_verification').skip_pii ?? [] }
}

/** The `card_connect` block of an Opal token: cards that the person shows to hold. */
export function readCardConnect(value: unknown): SessionConfig {
  const given = parse(cardConnect, value ?? {}, 'card_connect')
  return {
    ...blank,
    ...filters(given.account_filters),
    kind: given.selection_type,
    skip_pii: given.skip_pii ?? [],
    proof: 'network',
  }
}

const proofs = { data: 'number', payments: null, transactions: 'network', none: 'fitting' } as const

/** The `account_verification` block of an Opal token: what is to be proven follows from what the account is for. */
export function readAccountVerification(value: unknown): SessionConfig {
  const { account_id, intent } = parse(accountVerification, value ?? {}, 'account_verification')
  return {
    ...blank,
    kind: 'single',
    accounts: [account_id],
    products: intent === 'payments' ? ['payment'] : [],
    proof: proofs[intent ?? 'none'],
  }
}

/** The `transactions` block of an Opal token, which has no choices. */
export function readTransactions(value: unknown): SessionConfig {
  parse(z.strictObject({}), value ?? {}, 'transactions')
  return { ...blank, products: ['transaction'], proof: 'network' }
}

/** The `balance_transfer` block of either token, with its defaults. Source: rulings 6. */
export function readBalanceTransfer(value: unknown): SessionConfig {
  const given = parse(balanceTransfer, value, 'balance_transfer')
  const terms: Terms = {
    loan_amount: given.loan_amount,
    minimum_payment: given.minimum_payment ?? MIN_AMOUNT,
    maximum_payment: given.maximum_payment ?? given.loan_amount,
    residual_amount_max: given.residual_amount_max ?? given.loan_amount,
    allow_over_balance: given.allow_over_balance ?? false,
  }
  const wrong = (name: string, rule: string): never => {
    throw new ServiceError('INVALID_REQUEST', `balance_transfer.${name} must be ${rule}.`)
  }
  if (terms.maximum_payment > terms.loan_amount) wrong('maximum_payment', `at most loan_amount, ${terms.loan_amount}`)
  if (terms.minimum_payment > terms.maximum_payment)
    wrong('minimum_payment', `at most maximum_payment, ${terms.maximum_payment}`)
  if (terms.residual_amount_max > terms.loan_amount)
    wrong('residual_amount_max', `at most loan_amount, ${terms.loan_amount}`)
  return { ...blank, ...filters(given.account_filters), terms, products: ['payment'], skip_pii: given.skip_pii ?? [] }
}

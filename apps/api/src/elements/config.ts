import type { Terms } from '@causeway/contract/allocations'
import { ServiceError } from '@causeway/contract/errors'
import { MAX_AMOUNT, MIN_AMOUNT } from '@causeway/contract/money'
import { z } from 'zod'
import { parse } from '../http/body.js'
import type { SessionConfig } from './session.js'

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

const blank: SessionConfig = {
  terms: null,
  kind: 'multiple',
  products: [],
  accounts: null,
  include: { account_types: null, products: null },
  exclude: { account_types: [], mch_ids: [], unverified_account_numbers: false },
  skip_pii: [],
}

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

import type { balanceTransfer, elementConnect, filters as filterInput } from '@causeway/contract/endpoints/elements'
import type { opalBlocks } from '@causeway/contract/endpoints/opal'
import { accountConsentProducts, type ConsentProduct } from '@causeway/contract/fields/names'
import { MIN_AMOUNT } from '@causeway/contract/money'
import { elementProducts } from '@causeway/contract/products/of-accounts'
import type { z } from 'zod'
import { type AgreedProducts, unionOf } from '../../people/holders/consent-rules.js'
import { blankConfig as blank, type SessionConfig, type TransferTerms } from './session.js'

export type Block<Name extends keyof typeof opalBlocks> = z.output<(typeof opalBlocks)[Name]>

/** Returns a filter's values. If the list is missing or empty, returns null, which means no filter. */
const some = <T>(list: T[] | undefined): T[] | null => (list && list.length > 0 ? list : null)

function filters(given: z.output<typeof filterInput> | undefined): Pick<SessionConfig, 'include' | 'exclude'> {
  return {
    include: { account_types: some(given?.include?.account_types), products: some(given?.include?.products) },
    exclude: {
      account_types: given?.exclude?.account_types ?? [],
      mch_ids: given?.exclude?.mch_ids ?? [],
      unverified_account_numbers: given?.exclude?.unverified_account_numbers ?? false,
    },
  }
}

/** Returns the product that a name in a token's list stands for. */
export const consentName = (name: string): string => (name === 'transactions' ? 'transaction' : name)

/**
 * Returns the products that a session that finds accounts asks for. Without a list, the person is asked to share every
 * product.
 */
const asked = (products: readonly string[] | undefined): AgreedProducts =>
  products && products.length > 0 ? [...new Set(['connect', ...products.map(consentName)])] : null

/**
 * Reads the `connect` block of an element token. If a balance transfer follows, the person agrees to both at once, and the
 * transfer asks for the same products by default.
 */
export function elementConfig(given: z.output<typeof elementConnect>): SessionConfig {
  const { products, balance_transfer: transfer } = given
  const next = transfer ? transferConfig({ ...transfer, products: transfer.products ?? products }) : null
  const types = given.account_filters?.liability_types
  return {
    ...blank,
    kind: given.account_filters?.selection_type ?? 'multiple',
    products: (products ?? []).filter(name => elementProducts.some(each => each === name)),
    asks: next ? unionOf(asked(products), next.asks) : asked(products),
    accounts: some(given.accounts),
    include: { account_types: some(types), products: null },
    next,
  }
}

/** Reads the `connect` block of an Opal token. */
export function connectConfig(given: Block<'connect'>): SessionConfig {
  return {
    ...blank,
    ...filters(given.account_filters),
    kind: given.selection_type ?? 'all',
    asks: asked(given.products),
    skip_pii: given.skip_pii ?? [],
  }
}

/** Reads the `identity_verification` block of an Opal token. */
export const identityConfig = ({ skip_pii = [] }: Block<'identity_verification'>): SessionConfig => ({
  ...blank,
  asks: ['identity'],
  skip_pii,
})

/** Reads the `card_connect` block of an Opal token, for a flow in which the person proves that the cards are theirs. */
export function cardConfig(given: Block<'card_connect'>): SessionConfig {
  return {
    ...blank,
    ...filters(given.account_filters),
    // Each card is verified on its own, so there is no way to choose all of them at once.
    kind: given.selection_type === 'all' ? 'multiple' : given.selection_type,
    asks: asked(given.products),
    skip_pii: given.skip_pii ?? [],
    proof: 'network',
  }
}

/** The required proof, and the products that the person is asked to share, by an account's intended use. */
export const intents = {
  data: { proof: 'number', asks: ['balance', 'update', 'card_brand', 'payoff', 'attribute', 'sensitive'] },
  payments: { proof: null, asks: ['payment'] },
  transactions: { proof: 'network', asks: ['transaction'] },
  none: { proof: 'fitting', asks: accountConsentProducts },
} as const satisfies Record<string, Pick<SessionConfig, 'proof'> & { asks: readonly ConsentProduct[] }>

/**
 * Reads the `account_verification` block of an Opal token. The account's intended use determines the required proof and
 * the products that the person is asked to share.
 */
export function accountConfig({ account_id, intent }: Block<'account_verification'>): SessionConfig {
  return {
    ...blank,
    kind: 'single',
    accounts: [account_id],
    products: intent === 'payments' ? ['payment'] : [],
    ...intents[intent ?? 'none'],
  }
}

/** Returns the configuration for the `transactions` block of an Opal token, which has no options. */
export const transactionsConfig = (): SessionConfig => ({ ...blank, products: ['transaction'], proof: 'network' })

/** Returns the configuration for the `manage` block of an Opal token, which has no options. */
export const manageConfig = (): SessionConfig => ({ ...blank, asks: [] })

/**
 * Reads the `balance_transfer` block of either kind of token and applies its defaults. The person agrees to `payment` when
 * they confirm the payments.
 */
export function transferConfig(given: z.output<typeof balanceTransfer>): SessionConfig {
  const terms: TransferTerms = {
    loan_amount: given.loan_amount,
    minimum_payment: given.minimum_payment ?? MIN_AMOUNT,
    maximum_payment: given.maximum_payment ?? given.loan_amount,
    residual_amount_max: given.residual_amount_max ?? given.loan_amount,
    allow_over_balance: given.allow_over_balance ?? false,
    suggestion: given.suggestion ?? 'highest_rate',
    ...(given.loan_apr === undefined ? {} : { loan_apr: given.loan_apr }),
  }
  return {
    ...blank,
    ...filters(given.account_filters),
    terms,
    products: ['payment'],
    asks: asked(given.products),
    skip_pii: given.skip_pii ?? [],
  }
}

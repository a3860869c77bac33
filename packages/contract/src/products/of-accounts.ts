/** The account products, in the order in which the API reference lists them. To add a product, add its file and a line here. */
import { accountAttributeProduct } from './account-attribute.js'
import { balanceProduct } from './balance.js'
import { cardBrandProduct } from './card-brand.js'
import { paymentInstrumentProduct } from './payment-instrument.js'
import { payoffProduct } from './payoff.js'
import { type Declaration, merged } from './product.js'
import { sensitiveProduct } from './sensitive.js'
import { transactionProduct } from './transaction.js'
import { updateProduct } from './update.js'

export const accountProducts = [
  balanceProduct,
  updateProduct,
  payoffProduct,
  cardBrandProduct,
  sensitiveProduct,
  accountAttributeProduct,
  paymentInstrumentProduct,
  transactionProduct,
] as const

type AccountProduct = (typeof accountProducts)[number]
const all: readonly Declaration[] = accountProducts

/** Account fields that hold the id of a product's latest record. */
export const accountPointers = merged(accountProducts, 'pointers')

/** Fields that an account includes only if `expand[]` names them. */
export const accountExpanded = merged(accountProducts, 'expanded')

/** Account fields whose ids `expand[]` replaces with objects. */
export const accountFields: readonly string[] = [
  'latest_verification_session',
  ...all.flatMap(({ pointers, expanded }) => Object.keys({ ...pointers, ...expanded })),
  'liability.mch_id',
]

/**
 * Maps each field in `accountPointers` and `accountExpanded` to the names of the products whose latest record the field
 * holds. Variants of a product share a field.
 */
export const accountRecords: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  all.flatMap(({ name, variants, pointers, expanded }) =>
    Object.keys({ ...pointers, ...expanded }).map(field => [field, variants ?? [name]]),
  ),
)

/** Products that a connect can request for each account that it finds. */
export const connectProducts = all.flatMap(({ connectable, name }) => (connectable ? name : [])) as Extract<
  AccountProduct,
  { connectable: true }
>['name'][]

/** Subscriptions that a connect can create for each account that it finds. */
export const connectSubscriptions = all.flatMap(({ enrollable = [] }) => enrollable) as Extract<
  AccountProduct,
  { enrollable: readonly string[] }
>['enrollable'][number][]

/**
 * Names of the products that an element token can request. `payment` is added here because payments have no records and
 * therefore no declaration.
 */
export const elementProducts = [...all.flatMap(({ element }) => element ?? []), 'payment'] as (
  | Extract<AccountProduct, { element: string }>['element']
  | 'payment'
)[]

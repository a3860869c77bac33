/**
 * Formats debts the way the network reports them. A debt is in the tables, or a customer describes it by its merchant
 * and number.
 */
import type { Liability } from '@causeway/connector/ports/liability'
import { digest, pick } from './digest.js'
import { accountProducts } from './products/of-accounts.js'
import { cardOf } from './tables/card-products.js'
import { type Debt, debts } from './tables/debts.js'
import { fullNumber } from './tables/inputs.js'
import { type Product, productOf, products } from './tables/institutions.js'

/**
 * `sbm_<merchant>_<mask>_<part of the fingerprint>`. The reference contains all the data needed to answer later calls,
 * but doesn't reveal the number.
 */
const describedReference = /^sbm_(\d+)_(\d{1,4})_[0-9a-f]{12}$/

export function maskOf(debt: Debt): string | null {
  return debt.mask ?? debt.number?.slice(-4) ?? null
}

export function digitsOf(typed: string): string {
  return typed.replace(/\D/g, '')
}

/** Finds the debt for a reference that `discover` or `describe` returned. Returns undefined for any other reference. */
export function findDebt(reference: string): Debt | undefined {
  const known = debts.find(debt => debt.reference === reference)
  if (known) return known
  const [, merchant, mask] = describedReference.exec(reference) ?? []
  const mch_id = `mch_${merchant}`
  if (mask === undefined || !products[mch_id]) return undefined
  return { reference, mch_id, number: null, mask, balance: describedBalance(reference, products[mch_id]) }
}

/**
 * Returns the debt for a merchant and number, from the tables if they contain it. Returns undefined if the merchant is
 * unknown or the number has no digits.
 */
export function describeDebt(mch_id: string, typed: string): Debt | undefined {
  const product = products[mch_id]
  const number = digitsOf(typed)
  if (!product || number === '') return undefined
  const known = debts.find(debt => debt.mch_id === mch_id && debt.number === number)
  if (known) return known
  const reference = `sbm_${mch_id.slice(4)}_${number.slice(-4)}_${fingerprint(mch_id, number).slice(0, 12)}`
  return { reference, mch_id, number, balance: describedBalance(reference, product) }
}

/** Returns a debt as seen by one of its holders. */
export function showLiability(debt: Debt, ownership: Liability['ownership']): Liability {
  const product = productOf(debt)
  return {
    reference: debt.reference,
    mch_id: debt.mch_id,
    type: product.type,
    sub_type: product.sub_type,
    name: product.name,
    mask: maskOf(debt),
    ownership,
    fingerprint: fingerprint(debt.mch_id, debt.replaces ?? debt.number ?? debt.reference),
    status: debt.closed_at ? 'closed' : 'active',
    payable: payableOf(debt),
    supports: supportsOf(product),
    number: debt.payable === 'needs_number' ? null : debt.number,
    card: cardOf(debt),
  }
}

export function payableOf(debt: Debt): Liability['payable'] {
  if (debt.closed_at || productOf(debt).payable === false) return 'no'
  return debt.payable ?? 'yes'
}

/** Returns the names of the products that a debt's institution supports. `payment` depends on `payable`. */
export const supportsOf = (product: Product): string[] =>
  accountProducts
    .flatMap(({ supports = {} }) => Object.entries(supports).flatMap(([name, has]) => (has(product) ? name : [])))
    .sort()

function fingerprint(mch_id: string, number: string): string {
  return digest('debt', mch_id, number).slice(0, 40)
}

/** Returns a balance between 10% and 90% of the product's size, in cents. */
function describedBalance(reference: string, product: Product): number {
  return Math.round(product.size / 10) + pick(Math.round(product.size * 0.8), 'balance', reference)
}

/** Returns true if a number that a person entered could belong to the debt. */
export function fits(debt: Debt, typed: string): boolean {
  if (debt.refuses_number) return false
  const number = digitsOf(typed)
  const { least, most, refusedStart } = fullNumber
  if (number.length < least || number.length > most || number.startsWith(refusedStart)) return false
  return number.endsWith(maskOf(debt) ?? '')
}

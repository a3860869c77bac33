/**
 * The products that a person agreed to share. A session of the flow that finds accounts limits the customer's access to
 * the products that it asked for. Access to people and accounts that the customer connected through the API is not
 * limited, because the customer obtained that consent.
 */
import { ServiceError } from '@causeway/contract/errors'
import { consentProducts } from '@causeway/contract/fields/names'
import { type JsonColumn, jsonColumn } from '../../platform/db/json-column.js'

const parsedLists = new Map<string, readonly string[]>()
const MAX_CACHED_LISTS = 1_000

/** Reads a column's list of names. The columns have few distinct values, so parsed lists are cached. */
export function readNames(column: JsonColumn<readonly string[]>, text: string): readonly string[] {
  const cached = parsedLists.get(text)
  if (cached) return cached
  if (parsedLists.size >= MAX_CACHED_LISTS) parsedLists.clear()
  const list = Object.freeze(column.read(text))
  parsedLists.set(text, list)
  return list
}

/** A list of products; null for all products. */
export type AgreedProducts = readonly string[] | null

/** A holder's or consent's column of agreed products. */
export const agreedJson: JsonColumn<readonly string[]> = jsonColumn('accounts.agreed')

/** The column of an entity or an account. */
interface Agreed {
  agreed: string | null
}

/** Returns the products that a holder's person agreed to share; null if access is not limited. */
export const agreedProducts = ({ agreed }: Agreed): AgreedProducts =>
  agreed === null ? null : readNames(agreedJson, agreed)

const limited: ReadonlySet<string> = new Set(consentProducts)

/** Returns true if the customer can use a product of the holder under the person's consent. */
export const isAgreed = (holder: Agreed, product: string): boolean => {
  const agreed = agreedProducts(holder)
  // mutant: consent-limits-access (true)
  return agreed === null || !limited.has(product) || agreed.includes(product)
}

/** Returns the restriction of a product that the person did not agree to share; null if the product is not restricted. */
export function consentMissing(
  holder: Agreed,
  product: string,
): { status: 'restricted'; subType: 'PRODUCT_CONSENT_MISSING'; message: string } | null {
  if (isAgreed(holder, product)) return null
  const agreed = agreedProducts(holder)!.filter(name => limited.has(name))
  return {
    status: 'restricted',
    subType: 'PRODUCT_CONSENT_MISSING',
    message: `The person did not agree to share ${product}. They agreed to share: ${agreed.join(', ') || 'no products'}. To ask for it, create a token whose products include ${product}.`,
  }
}

/** Throws PRODUCT_CONSENT_MISSING if the person did not agree to share a product. */
export function requireAgreed(holder: Agreed, product: string): void {
  const missing = consentMissing(holder, product)
  if (missing) throw new ServiceError(missing.subType, missing.message)
}

/** Keeps the ids of a holder's latest records that the customer can read. */
export const readableIds = (holder: Agreed, latest: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(latest).filter(([product]) => isAgreed(holder, product)))

/** Returns the products in either list; null if either includes all products. */
export const unionOf = (one: AgreedProducts, other: AgreedProducts): AgreedProducts =>
  one === null || other === null ? null : [...new Set([...one, ...other])]

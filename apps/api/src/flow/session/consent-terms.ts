/**
 * The text and documents of a consent, derived from the products that it asks for. This file and the products'
 * declarations (`shares`) are the only source of the documents, of the data that their text names, and of the products
 * that the customer can then use.
 */
import type { DocumentId, Recipients, SharedData } from '@causeway/contract/session'
import type { AgreedProducts } from '../../people/holders/consent-rules.js'
import type { Deps } from '../../platform/scope.js'

/** The documents whose text names each kind of data. The compiler requires an entry for each kind. */
const documentsOfData = {
  accounts: ['account_data', 'credit_report'],
  balance: ['account_data'],
  statement: ['account_data'],
  payoff: ['account_data'],
  number: ['account_data'],
  card: ['account_data'],
  usage: ['account_data'],
  purchases: ['account_data'],
  payments: ['account_data'],
  credit_score: ['credit_report'],
  credit_profile: ['credit_report'],
  vehicles: ['credit_report'],
  identity: ['privacy', 'credit_report'],
} as const satisfies Record<SharedData, readonly DocumentId[]>

const kinds = Object.keys(documentsOfData) as SharedData[]

/** Returns the kinds of data that a product shares. */
const dataOf = ({ offers }: Pick<Deps, 'offers'>, product: string): SharedData[] =>
  offers.flatMap(offer => (offer.name === product ? offer.shares : []))

/** Returns true if the document's text names data of the product. */
export const namesProduct = (deps: Pick<Deps, 'offers'>, document: DocumentId, product: string): boolean =>
  dataOf(deps, product).some(kind => (documentsOfData[kind] as readonly DocumentId[]).includes(document))

/**
 * Returns the kinds of data that the text of a consent names, in a fixed order.
 * @param products the products that the consent asks for; null for all products
 */
export function consentData(
  deps: Pick<Deps, 'offers'>,
  documents: readonly { id: string }[],
  products: AgreedProducts,
  recipients: Recipients,
): SharedData[] {
  const asked = new Set(products === null ? kinds : products.flatMap(name => dataOf(deps, name)))
  const ids = new Set(documents.map(({ id }) => id))
  const isNamed = (kind: SharedData) =>
    documentsOfData[kind].some(id => ids.has(id) && (id !== 'credit_report' || 'bureau' in recipients))
  return kinds.filter(kind => asked.has(kind) && isNamed(kind))
}

/**
 * The text and documents of a consent, derived from the products that it asks for. This file and the products'
 * declarations (`shares`) are the only source of the documents, of the data that their text names, and of the products
 * that the customer can then use.
 */
import { defaultProducts } from '@causeway/contract/fields/names'
import type { DocumentId, Mode, Recipients, SharedData } from '@causeway/contract/session'
import type { AgreedProducts } from '../../people/holders/consent-rules.js'
import type { Product } from '../../people/holders/product.js'
import type { Deps } from '../../platform/scope.js'
import { documentsOf, modeRules } from './modes.js'
import { recipientsOf } from './recipients.js'
import type { Progress, SessionConfig, SessionRow } from './session.js'

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
const dataOf = (
  { offers }: Pick<Deps, 'offers'>,
  product: string,
  holders: readonly Product['holder'][] = ['entity', 'account'],
): SharedData[] =>
  offers.flatMap(offer => (offer.name === product && holders.includes(offer.holder) ? offer.shares : []))

/** The holders whose products a session asks for, by the accounts that its mode covers. */
const holdersIn = {
  found: ['entity', 'account'],
  named: ['account'],
  none: ['entity'],
} as const satisfies Record<string, readonly Product['holder'][]>

/** Returns true if the documents that a mode shows name all data of the product. */
export function isNamed(deps: Pick<Deps, 'offers'>, mode: Mode, recipients: Recipients, product: string): boolean {
  const documents = documentsOf(mode, recipients)
  return dataOf(deps, product, holdersIn[modeRules[mode].accounts]).every(kind =>
    documents.some(({ id }) => (documentsOfData[kind] as readonly DocumentId[]).includes(id)),
  )
}

/**
 * Returns the products that a session asks the person to share: those that its token asks for and its documents name;
 * null for all products.
 */
export function askedProducts(
  deps: Deps,
  { session, config, progress }: { session: Pick<SessionRow, 'mode'>; config: SessionConfig; progress: Progress },
): AgreedProducts {
  const recipients = recipientsOf(deps, progress)
  const all = config.asks ?? defaultProducts
  const named = all.filter(
    // mutant: consent-grants-only-what-it-names (= true)
    name => isNamed(deps, session.mode, recipients, name),
  )
  return config.asks === null && named.length === all.length ? null : named
}

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

/** Finds what a session still has to ask the person to agree to. */

import { isDeepStrictEqual } from 'node:util'
import { defaultProducts } from '@causeway/contract/fields/names'
import type { DocumentId } from '@causeway/contract/session'
import { DAY_MS } from '@causeway/contract/time'
import { type AgreedProducts, agreedJson, unionOf } from '../../people/holders/consent-rules.js'
import type { EntityRow } from '../../people/holders/entity.js'
import type { Scope } from '../../platform/scope.js'
import { askedProducts, namesProduct } from './consent-terms.js'
import { documentsOf, type ModeRules } from './modes.js'
import { consentRecipients, recipientsOf } from './recipients.js'
import { type Progress, readProgress, type SessionConfig, type SessionRow } from './session.js'

/** The time for which an agreement counts in later sessions. */
const AGREEMENT_LIFETIME_MS = 365 * DAY_MS

/** An earlier agreement to one of a session's documents. */
interface Agreement {
  /** The id of the agreement's record in `consents`. */
  id: string
  document: string
  version: string
  locale: string
  products: AgreedProducts
  created_at: number
}

/** The part of a session's consent that the person has not yet given. */
export interface OutstandingConsent {
  documents: ModeRules['documents']
  /** The products that the person has not yet agreed to share; null for all products. */
  products: AgreedProducts
  /** The earlier agreements that count for the session's other documents, in the order of the documents. */
  carried: Agreement[]
}

/**
 * Returns the documents and products that the person has not yet agreed to. An earlier agreement counts for a document if
 * it has the latest version and names every product that the session asks for. Agreements in several sessions count
 * together.
 *
 * A bearer that hasn't verified the phone gets no earlier agreements. Otherwise, a shorter list would reveal to anyone
 * with a token that the person is already a customer. For the same reason, the view shown before the token exchange
 * always lists every document.
 */
export async function outstandingConsent(scope: Scope, facts: ConsentFacts): Promise<OutstandingConsent> {
  const asks = askedProducts(scope.deps, facts)
  const recipients = recipientsOf(scope.deps, facts.progress)
  const all = documentsOf(facts.session.mode, recipients)
  // mutant: agreements-need-phone-proof (remove)
  if (facts.phoneDue) return { documents: all, products: asks, carried: [] }
  const agreements = await earlierAgreements(scope, facts, all)
  const documents: ModeRules['documents'] = []
  const carried: Agreement[] = []
  const products = new Set<string>()
  for (const document of all) {
    const own = agreements.filter(each => each.document === document.id)
    const agreed = own.reduce<AgreedProducts>((sum, each) => unionOf(sum, each.products), [])
    const missing = missingProducts(scope, document.id, asks, agreed)
    const last = own.at(-1)
    if (last && missing.length === 0) {
      carried.push({ ...last, products: agreed })
      continue
    }
    documents.push(document)
    for (const name of missing) products.add(name)
  }
  return { documents, products: asks && [...products], carried }
}

/** The part of a session's data that determines its consent. */
interface ConsentFacts {
  session: SessionRow
  config: SessionConfig
  progress: Progress
  entity: EntityRow
  phoneDue: boolean
}

/** Returns the products that a session asks for, that a document names and that the person did not agree to share. */
function missingProducts({ deps }: Scope, document: DocumentId, asks: AgreedProducts, agreed: AgreedProducts) {
  if (agreed === null) return []
  return (asks ?? defaultProducts).filter(name => namesProduct(deps, document, name) && !agreed.includes(name))
}

/**
 * Finds the person's earlier agreements to the latest versions of the session's documents, oldest first. An agreement
 * counts only if its session verified the person's identity and named the same customer and recipients, and if its
 * consent is still in effect. Withdrawing consent ends it for every session.
 */
async function earlierAgreements(
  scope: Scope,
  { progress, entity }: ConsentFacts,
  documents: ModeRules['documents'],
): Promise<Agreement[]> {
  const rows = await scope.db
    .selectFrom('consents')
    .innerJoin('sessions', on =>
      on.onRef('sessions.team_id', '=', 'consents.team_id').onRef('sessions.id', '=', 'consents.session_id'),
    )
    .select(['consents.id', 'consents.document', 'consents.version', 'consents.locale', 'consents.products'])
    .select(['consents.created_at', 'consents.recipients', 'sessions.progress'])
    .where('consents.team_id', '=', scope.team.id)
    .where('sessions.team_id', '=', scope.team.id)
    .where('sessions.entity_id', '=', entity.id)
    .where('consents.created_at', '>', scope.now - AGREEMENT_LIFETIME_MS)
    .where(is => is.or([is('sessions.connect_id', 'is not', null), is('sessions.completed_at', 'is not', null)]))
    .where(is =>
      is.or(
        documents.map(({ id, version }) =>
          is.and([is('consents.document', '=', id), is('consents.version', '=', version)]),
        ),
      ),
    )
    .orderBy('consents.id')
    .execute()
  const recipients = recipientsOf(scope.deps, progress)
  return rows
    .filter(row => {
      const { consented, named, recipients: shown } = readProgress(row)
      const own = row.recipients === null ? shown : consentRecipients.read(row.recipients)
      if (!isDeepStrictEqual(own, recipients)) return false
      // mutant: agreements-under-own-name (drop 3)
      return consented && named !== null && named === progress.named
    })
    .map(({ products, ...row }) => ({ ...row, products: products === null ? null : agreedJson.read(products) }))
}

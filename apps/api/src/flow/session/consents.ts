import type { SharedData } from '@causeway/contract/session'
import { sql } from 'kysely'
import { type AgreedProducts, agreedJson } from '../../people/holders/consent-rules.js'
import { createId } from '../../platform/crypto/random.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Deps, Scope } from '../../platform/scope.js'
import { consentData } from './consent-terms.js'
import type { Facts } from './facts.js'
import { consentRecipients, currentRecipients, recipientsOf } from './recipients.js'

/**
 * Returns the locale of the person's consent in this session. If the person consented before the session's progress
 * included the locale, returns SQL for use within another statement.
 */
export const consentLocale = ({ session: { id: session }, progress }: Facts) =>
  progress.locale ??
  sql<string>`coalesce((select locale from consents where session_id = ${session} order by id desc limit 1), 'en')`

/**
 * Stores the documents that the person agreed to, with each document's version, and the recipients and the products that
 * it named.
 */
export function insertConsents(
  tx: Scope,
  { session, entity, progress }: Facts,
  accepted: readonly { id: string; version: string }[],
  locale: string | ReturnType<typeof consentLocale>,
  products: AgreedProducts = null,
) {
  const recipients = consentRecipients.write(recipientsOf(tx.deps, progress))
  const rows = accepted.map(document => ({
    id: `cns_${createId('event', tx.now).slice(4)}`,
    team_id: tx.team.id,
    entity_id: entity.id,
    session_id: session.id,
    document: document.id,
    version: document.version,
    locale,
    recipients,
    products: products && agreedJson.write(products),
    created_at: tx.now,
  }))
  return tx.db.insertInto('consents').values(rows).execute()
}

/** Returns the kinds of data that the text of an accepted document names. */
export function agreedData(
  deps: Deps,
  { document, products, recipients }: Pick<Tables['consents'], 'document' | 'products' | 'recipients'>,
): SharedData[] {
  const named = recipients === null ? currentRecipients(deps) : consentRecipients.read(recipients)
  return consentData(deps, [{ id: document }], products === null ? null : agreedJson.read(products), named)
}

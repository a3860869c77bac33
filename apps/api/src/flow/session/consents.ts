import { sql } from 'kysely'
import { createId } from '../../platform/crypto/random.js'
import type { Scope } from '../../platform/scope.js'
import type { Facts } from './facts.js'
import { consentRecipients, recipientsOf } from './recipients.js'

/**
 * Returns the locale of the person's consent in this session. If the person consented before the session's progress
 * included the locale, returns SQL for use within another statement.
 */
export const consentLocale = ({ session: { id: session }, progress }: Facts) =>
  progress.locale ??
  sql<string>`coalesce((select locale from consents where session_id = ${session} order by id desc limit 1), 'en')`

/** Stores the documents that the person agreed to, with each document's version and the recipients that it named. */
export function insertConsents(
  tx: Scope,
  { session, entity, progress }: Facts,
  accepted: readonly { id: string; version: string }[],
  locale: string | ReturnType<typeof consentLocale>,
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
    created_at: tx.now,
  }))
  return tx.db.insertInto('consents').values(rows).execute()
}

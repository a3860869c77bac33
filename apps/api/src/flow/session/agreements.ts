/** Finds earlier agreements that still count, so that the person isn't asked to agree again. */

import { isDeepStrictEqual } from 'node:util'
import { DAY_MS } from '@causeway/contract/time'
import type { Scope } from '../../../platform/scope.js'
import type { Facts } from '../../session/facts.js'
import { modeRules } from '../../session/modes.js'
import { consentRecipients, recipientsOf } from '../../session/recipients.js'
import { readProgress } from '../../session/session.js'

/** The time for which an agreement counts in later sessions. */
const AGREEMENT_LIFETIME_MS = 365 * DAY_MS

/** An earlier agreement to one of a session's documents. */
export interface Agreement {
  /** The id of the agreement's record in `consents`. */
  id: string
  document: string
  version: string
  created_at: number
}

/**
 * Finds the person's earlier agreements to the latest versions of the session's documents, in the order of the
 * documents. An agreement counts only if its session verified the person's identity and named the same customer and
 * recipients, and if its consent is still in effect. Withdrawing consent ends it for every session.
 *
 * A bearer that hasn't verified the phone gets no earlier agreements. Otherwise, a shorter list would reveal to anyone
 * with a token that the person is already a customer. For the same reason, the view shown before the token exchange
 * always lists every document.
 */
export async function earlierAgreements(scope: Scope, facts: Facts): Promise<Agreement[]> {
  const { session, progress, entity } = facts
  // mutant: agreements-need-phone-proof (remove)
  if (facts.phoneDue) return []
  const { documents } = modeRules[session.mode]
  const rows = await scope.db
    .selectFrom('consents')
    .innerJoin('sessions', on =>
      on.onRef('sessions.team_id', '=', 'consents.team_id').onRef('sessions.id', '=', 'consents.session_id'),
    )
    .select(['consents.id', 'consents.document', 'consents.version', 'consents.created_at', 'consents.recipients'])
    .select('sessions.progress')
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
  const counted = rows.filter(row => {
    const { consented, named, recipients: shown } = readProgress(row)
    const own = row.recipients === null ? shown : consentRecipients.read(row.recipients)
    if (!isDeepStrictEqual(own, recipients)) return false
    // mutant: agreements-under-own-name (drop 3)
    return consented && named !== null && named === progress.named
  })
  return documents.flatMap(({ id }) => counted.findLast(row => row.document === id) ?? [])
}

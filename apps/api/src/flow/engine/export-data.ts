import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../../platform/audit/store.js'
import { type Deps, reading, transact } from '../../platform/scope.js'
import { position } from '../session/facts.js'
import { loadSession } from '../session/load-session.js'
import { findSessionRows } from '../session/store.js'
import { extendIdleLimit, type Visitor } from '../tokens/bearer.js'

/** Returns the data about a person who is signed in to their own page, and records the download in the audit log. */
export async function exportData(deps: Deps, visitor: Visitor): Promise<Record<string, unknown>> {
  const { team, session, bearer, token } = visitor
  const scope = reading(deps, team)
  const rows = (await findSessionRows(scope, session, bearer))!
  const at = position(await loadSession(scope, rows.session, bearer, rows))
  // mutant: download-needs-code (false)
  if (!('step' in at) || at.step !== 'manage')
    throw new ServiceError(
      'FORBIDDEN',
      "A download is possible only on the person's own page, after they enter the code.",
    )
  await transact(deps, team, async tx => {
    await extendIdleLimit(tx.db, visitor)
    await audit(tx, token.handle, 'entity.export', rows.entity.id)
  })
  return deps.ownData.export(scope, rows.entity)
}

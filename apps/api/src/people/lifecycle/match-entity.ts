import type { Identity } from '@causeway/connector/ports/identity'
import { createPortCall } from '../../network/ports.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { createSession } from '../entities/sessions.js'
import { type Latest, updateEntityLater } from '../entities/store.js'
import type { EntityRow } from '../holders/entity.js'
import { readDetails } from '../holders/show-entity.js'
import { findEntity, lockEntity } from '../holders/store.js'
import { disableEntity } from './disable-entity.js'

/**
 * Stores the person matched to an entity, or disables the entity if the match was refused. The entity's row must be
 * locked. It is written at the end of {@link batchWrites}.
 * @returns the entity and the ids of its latest records, if it is now matched
 */
export async function storeMatch(
  scope: Scope,
  row: EntityRow,
  match: Awaited<ReturnType<Identity['match']>>,
): Promise<Awaited<ReturnType<typeof updateEntityLater>> | undefined> {
  if (match.matched) return updateEntityLater(scope, row, { matched: 1, person: match.person })
  if (match.refused) await disableEntity(scope, row, match.refused)
  return undefined
}

/** Verifies the phone and the identity of an entity that has just been matched, as the customer's own verifications. */
async function verifyMatched(scope: Scope, matched: EntityRow, latest: Latest = {}): Promise<void> {
  const options = { inFrame: true, read: { latest } }
  const { entity } =
    matched.phone_verified_at === null
      ? await createSession(scope, matched, 'phone', 'byo_sms', { timestamp: showTime(scope.now) }, options)
      : { entity: matched }
  await createSession(scope, entity, 'identity', 'byo_kyc', {}, options)
}

/** Looks up the person that an entity's details belong to, and stores the result. */
export const matchEntity: JobHandler = {
  async run(scope, payload, _attempt, facts) {
    const id = payload['entity'] ?? ''
    const entity = (facts as EntityRow | undefined) ?? (await findEntity(scope, id))
    if (!entity || entity.matched === 1 || entity.status === 'disabled') return async () => undefined
    const match = await scope.deps.ports.identity.match({
      ...createPortCall(scope, id),
      details: readDetails(scope, entity),
    })
    return async saving => {
      const row = await lockEntity(saving, id)
      // Ignores a result for details that have since been replaced. Another job matches the new details.
      const isUnchanged = row?.details === entity.details
      if (!isUnchanged || row.status === 'disabled' || row.matched !== 0) return undefined
      const matched = await storeMatch(saving, row, match)
      if (matched && payload['verifies']) await verifyMatched(saving, matched.row, matched.latest)
      return undefined
    }
  },
}

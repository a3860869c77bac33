import type { Identity } from '@causeway/connector/ports/identity'
import { createPortCall } from '../../network/ports.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import { updateEntityLater } from '../entities/store.js'
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
      if (isUnchanged && row.status !== 'disabled' && row.matched === 0) await storeMatch(saving, row, match)
      return undefined
    }
  },
}

import type { Identity } from '../../network/identity/port.js'
import { callAbout } from '../../network/ports.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import { disableEntity } from './disable.js'
import type { EntityRow } from './entity.js'
import { readDetails } from './show.js'
import { findEntity, lockEntity, updateEntity } from './store.js'

/** Keeps who an entity is, or that it can't be dealt with. Its row is locked. @returns it, where it is known now who it is */
export async function keepMatch(
  scope: Scope,
  row: EntityRow,
  found: Awaited<ReturnType<Identity['match']>>,
): Promise<EntityRow | undefined> {
  if (found.matched) return updateEntity(scope, row, { matched: 1, person: found.person })
  if (found.refused) await disableEntity(scope, row, found.refused)
  return undefined
}

/** Asks which person an entity's details belong to, and keeps the answer. */
export const matchEntity: JobHandler = {
  async run(scope, payload, _attempt, facts) {
    const id = payload['entity'] ?? ''
    const entity = (facts as EntityRow | undefined) ?? (await findEntity(scope, id))
    if (!entity || entity.matched === 1 || entity.status === 'disabled') return async () => undefined
    const found = await scope.deps.ports.identity.match({
      ...callAbout(scope, id),
      details: readDetails(scope, entity),
    })
    return async saving => {
      const row = await lockEntity(saving, id)
      // Whose details were replaced meanwhile is asked again.
      const same = row?.details === entity.details
      if (same && row.status !== 'disabled' && row.matched === 0) await keepMatch(saving, row, found)
      return undefined
    }
  },
}

import type { JobHandler } from '../jobs/jobs.js'
import { readDetails } from './show.js'
import { findEntity, lockEntity, updateEntity } from './store.js'

/** Asks which person an entity's details belong to, and keeps the answer. */
export const matchEntity: JobHandler = {
  async run(scope, payload) {
    const id = payload['entity'] ?? ''
    const entity = await findEntity(scope, id)
    if (!entity || entity.matched === 1 || entity.status === 'disabled') return async () => undefined
    const found = await scope.deps.ports.identity.match({
      request_id: id,
      team_id: scope.team.id,
      now: scope.now,
      details: readDetails(scope, entity),
    })
    return async saving => {
      const row = await lockEntity(saving, id)
      if (row && row.status !== 'disabled' && row.matched === 0 && found.matched)
        await updateEntity(saving, row, { matched: 1, person: found.person })
      return undefined
    }
  },
}

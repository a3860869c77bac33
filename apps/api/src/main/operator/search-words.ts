/**
 * Rebuilds the search words for people stored by an earlier version, so that a search for the last digits of a phone
 * number finds them.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { storeNameWords } from '../../people/entities/store.js'
import { lockEntity } from '../../people/holders/store.js'
import { type Deps, transact } from '../../platform/scope.js'

/** The number of entities per transaction. */
const ENTITIES_PER_TRANSACTION = 100

/** Rewrites all people's search words in batches, while the service runs. @returns the number of people */
export async function rebuildSearchWords(deps: Deps): Promise<number> {
  let people = 0
  for (const { id } of await deps.store.reader.selectFrom('teams').select('id').execute()) {
    const team = (await deps.teamOf(id))!
    for (let after = ''; ; ) {
      const rows = await deps.store.reader
        .selectFrom('entities')
        .select('id')
        .where('team_id', '=', id)
        .where('id', '>', after)
        .orderBy('id')
        .limit(ENTITIES_PER_TRANSACTION)
        .execute()
      if (rows.length === 0) break
      await transact(deps, team, async scope => {
        for (const each of rows) {
          const row = await lockEntity(scope, each.id)
          if (row && row.withdrawn_at === null) await storeNameWords(scope, row)
        }
      })
      people += rows.length
      after = rows.at(-1)!.id
      await yieldToEventLoop()
    }
  }
  return people
}

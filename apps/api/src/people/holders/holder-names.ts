import type { RailAccount } from '@causeway/connector/ports/rail'
import type { Scope } from '../../platform/scope.js'
import { readDetails } from './show-entity.js'

/** Returns the names of holders, by id. A holder without a name is missing. */
export async function findHolderNames(
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<RailAccount['holder']>>> {
  if (ids.length === 0) return new Map()
  const rows = await scope.db
    .selectFrom('entities')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.flatMap(row => {
      const { first_name, last_name, corporation } = readDetails(scope, row)
      const name = corporation ? String(corporation['name'] ?? '') : [first_name, last_name].filter(Boolean).join(' ')
      return name === '' ? [] : [[row.id, { name, kind: row.type === 'corporation' ? 'business' : 'person' }] as const]
    }),
  )
}

import { resetMatch } from '../../people/entities/sessions.js'
import { updateEntity } from '../../people/entities/store.js'
import { type EntityDetails, type EntityRow, typedFields, typedJson } from '../../people/holders/entity.js'
import { detailColumns } from '../../people/holders/show-entity.js'
import type { Scope } from '../../platform/scope.js'

/** Stores typed, unverified details. The entity's row must be locked. */
export async function saveTypedDetails(
  tx: Scope,
  before: EntityRow,
  details: EntityDetails,
  names: readonly string[],
): Promise<EntityRow> {
  const typed = typedFields(before)
  return updateEntity(tx, before, {
    ...detailColumns(tx, before.id, details),
    ...(names.some(name => typed.has(name)) ? await resetMatch(tx, before) : {}),
    typed: typedJson.write([...new Set([...typed, ...names])]),
  })
}

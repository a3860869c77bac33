import type { Scope } from '../../platform/scope.js'
import type { EntityRow } from './entity.js'

/**
 * Returns the id by which the network finds a person's accounts. A network that works with any id gets the entity's own, so
 * that no entity ever sees what was linked for another one, such as for the earlier owner of a phone number.
 */
export const networkPerson = (
  { deps }: Pick<Scope, 'deps'>,
  { id, person }: Pick<EntityRow, 'id' | 'person'>,
): string =>
  // mutant: entities-share-no-institutions (false)
  deps.capabilities.discovery().persons === 'any' ? id : (person ?? '')

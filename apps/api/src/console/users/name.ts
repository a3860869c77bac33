import { ServiceError } from '@causeway/contract/errors'
import { MAX_NAME_LENGTH, nameFaultOf } from '@causeway/contract/values/name'

/** Reads a name that a user entered. Throws INVALID_REQUEST. */
export function readName(value: unknown, field = 'name'): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (nameFaultOf(name) !== undefined)
    throw new ServiceError(
      'INVALID_REQUEST',
      `${field} must be 1 to ${MAX_NAME_LENGTH} characters, with a letter or digit and no invisible character.`,
    )
  return name
}

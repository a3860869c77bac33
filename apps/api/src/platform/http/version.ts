import { ServiceError } from '@causeway/contract/errors'
import { isVersion, type Version, versions } from '@causeway/contract/versions'

/** The version that a request speaks: its header, else the team's. */
export function readVersion(header: string | undefined, pinned: Version): Version {
  if (header === undefined) return pinned
  if (isVersion(header)) return header
  throw new ServiceError('INVALID_VERSION', `Service-Version must be one of: ${versions.join(', ')}.`)
}

import { ServiceError } from '@causeway/contract/errors'
import { isVersion, type Version, versions } from '@causeway/contract/versions'

/** Returns a request's API version, from its header or, if the header is absent, from its team. */
export function readVersion(header: string | undefined, pinned: Version): Version {
  if (header === undefined) return pinned
  if (isVersion(header)) return header
  throw new ServiceError('INVALID_VERSION', `Service-Version must be one of: ${versions.join(', ')}.`)
}

import { ServiceError } from '@causeway/contract/errors'
import type { Method } from './method.js'

/** The customer's own check of the identity, taken at its word for a person who is known. */
export const byoKyc: Method = {
  type: 'identity',
  tries: 0,
  async begin(_scope, entity) {
    if (entity.matched === 0) throw new ServiceError('MISSING_IDENTITY_MATCH')
    return { status: 'verified', data: { authenticated: true } }
  },
  show: data => ({ authenticated: data.authenticated ?? false }),
}

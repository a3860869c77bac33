import { ServiceError } from '@causeway/contract/errors'
import type { Method } from './method.js'

/** The customer's own identity check. Accepted without further verification for a matched person. */
export const byoKyc: Method = {
  type: 'identity',
  tries: 0,
  async begin(_scope, entity) {
    if (entity.matched === 0) throw new ServiceError('MISSING_IDENTITY_MATCH')
    return { status: 'verified', data: { authenticated: true } }
  },
  show: data => ({ authenticated: data.authenticated ?? false }),
}

import { ServiceError } from '@causeway/contract/errors'
import { byoKycMethod } from '@causeway/contract/methods/byo-kyc'
import { declaredAs, type Method } from '../method.js'

/** The customer's own identity verification. Accepted without further checks if the entity is matched to a person. */
export const byoKyc: Method = {
  ...declaredAs(byoKycMethod),
  maxAttempts: 0,
  async initialState(_scope, entity) {
    if (entity.matched === 0) throw new ServiceError('MISSING_IDENTITY_MATCH')
    return { status: 'verified', data: { authenticated: true } }
  },
  show: data => ({ authenticated: data.authenticated ?? false }),
}

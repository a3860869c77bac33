import { byoKycMethod } from '@causeway/contract/methods/byo-kyc'
import { declaredAs, type Method, requireMatch } from '../method.js'

/** The customer's own identity verification. Accepted without further checks if the entity is matched to a person. */
export const byoKyc: Method = {
  ...declaredAs(byoKycMethod),
  maxAttempts: 0,
  async initialState(scope, entity) {
    await requireMatch(scope, entity)
    return { status: 'verified', data: { authenticated: true } }
  },
  show: data => ({ authenticated: data.authenticated ?? false }),
}

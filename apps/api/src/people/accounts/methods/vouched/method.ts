import { ServiceError } from '@causeway/contract/errors'
import { vouchedMethods } from '@causeway/contract/methods/vouched'
import { declaredAs, isAch, type Method, method } from '../method.js'

/**
 * The methods `auto_verify` and `trusted_provisioner`, which verify an account when the service creates it. The network
 * chooses between them.
 */
export const vouched: readonly Method[] = vouchedMethods.map(declared =>
  method<never>({
    ...declaredAs(declared),
    proves: [],
    maxAttempts: 0,
    appliesTo: isAch,
    begin: () => ({}),
    read() {
      throw new ServiceError('INVALID_VERIFICATION_STATUS')
    },
    check: async () => ({ status: 'verified' }),
    show: () => ({}),
  }),
)

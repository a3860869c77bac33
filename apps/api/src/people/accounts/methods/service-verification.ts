import { ServiceError } from '@causeway/contract/errors'
import { isAch, type Method, method } from './method.js'

/** A verification by the service itself, performed when the account is created. */
export const own = (): Method =>
  method<never>({
    proves: [],
    tries: 0,
    creatable: false,
    fits: isAch,
    begin: () => ({}),
    read() {
      throw new ServiceError('INVALID_VERIFICATION_STATUS')
    },
    judge: async () => ({ status: 'verified' }),
    show: () => ({}),
  })

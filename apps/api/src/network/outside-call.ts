import { OutsideError } from '@causeway/connector/ports/outside-error'
import { ServiceError } from '@causeway/contract/errors'

/**
 * Makes an external call while a request waits. If the external service is unreachable, throws an error that asks the
 * caller to retry.
 */
export async function callOutside<T>(call: () => Promise<T>, provider = 'The institution'): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof OutsideError)
      throw new ServiceError('SERVICE_UNAVAILABLE', `${provider} could not be reached. Retry the request.`)
    throw error
  }
}

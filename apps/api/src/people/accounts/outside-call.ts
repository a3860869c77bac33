import { ServiceError } from '@causeway/contract/errors'
import { OutsideError } from '../../network/ports.js'

/** Makes an external call for a request that waits; if the call fails, the caller gets an error and can try again. */
export async function asked<T>(ask: () => Promise<T>, whom = 'The institution'): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof OutsideError)
      throw new ServiceError('SERVICE_UNAVAILABLE', `${whom} could not be reached. Retry the request.`)
    throw error
  }
}

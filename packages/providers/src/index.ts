import type { Provider } from '@causeway/connector/provider/provider'
import { increase } from './increase/provider.js'
import { plaid } from './plaid/provider.js'
import { twilio } from './twilio/provider.js'
import { upstream } from './upstream/provider.js'

/** Every provider that the service can reach without a connector, by its name in `PROVIDERS`. */
export const providers: Readonly<Record<string, Provider>> = { increase, plaid, twilio, upstream }

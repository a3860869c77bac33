import type { Identity } from './identity.js'
import type { Network } from './network.js'
import type { Rail } from './rail.js'

/** The external services, each with its own port. Features never import an adapter. */
export interface Ports {
  network: Network
  identity: Identity
  rail: Rail
}

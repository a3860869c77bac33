import { CAPABILITIES_PATH, capabilitiesMethod } from '@causeway/connector/methods/contract'
import type { Store } from '../../platform/db/store.js'
import type { Log } from '../../platform/log.js'
import type { CallConnector } from './ask.js'
import { startStoredRead } from './stored-read.js'

export interface LoadedCapabilities {
  /** Returns true if the connector serves the method. True for every method until the connector has answered. */
  serves(path: string): boolean
  stop(): void
}

/** Loads the list of methods that the operator's connector serves, and keeps it current. */
export async function loadCapabilities(
  callConnector: CallConnector,
  store: Store,
  deps: { clock: () => number; log: Log },
): Promise<LoadedCapabilities> {
  let paths: ReadonlySet<string> | undefined
  const stop = await startStoredRead(
    {
      path: CAPABILITIES_PATH,
      method: capabilitiesMethod,
      setting: 'connector_capabilities',
      failure: 'connector_capabilities_unreadable',
      apply({ methods }) {
        paths = new Set(methods)
      },
    },
    callConnector,
    store,
    deps,
  )
  return { serves: path => paths?.has(path) ?? true, stop }
}

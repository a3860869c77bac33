import { setTimeout as sleep } from 'node:timers/promises'
import type { PortName } from '@causeway/connector/methods/contract'
import type { Ports } from '@causeway/connector/ports/ports'
import { connectPorts } from '../network/connectors/connect.js'
import type { LoadedTables } from '../network/connectors/tables.js'
import type { Store } from '../platform/db/store.js'
import type { Log } from '../platform/log.js'
import type { Metrics } from '../platform/metrics.js'
import { createSandbox } from '../sandbox/sandbox.js'
import { carrier } from '../sandbox/tables/inputs.js'
import type { Config } from './config.js'

export const wait = (ms: number): Promise<void> => sleep(ms)

/**
 * Returns the origins that the frame may call from a handset: the carrier origins that the operator configured, plus
 * the sandbox's own origin if the identity adapter is the sandbox.
 */
export const silentOriginsOf = ({ adapters, silentOrigins }: Pick<Config, 'adapters' | 'silentOrigins'>): string[] =>
  adapters.identity === 'sandbox' ? [...silentOrigins, carrier] : silentOrigins

/** Creates each port with the adapter that the operator configured for it. */
export async function openPorts(
  { adapters, connector }: Pick<Config, 'adapters' | 'connector'>,
  store: Store,
  log: Log,
  metrics: Metrics,
): Promise<{ ports: Ports; tables: LoadedTables | null }> {
  const sandbox = createSandbox({ sleep: wait })
  if (!connector) return { ports: sandbox, tables: null }
  const http = await connectPorts(
    { ...connector, network: adapters.network === 'http' },
    { store, log, metrics, clock: Date.now, sleep: wait, fetch },
  )
  const from = (port: PortName) => (adapters[port] === 'http' ? http.ports : sandbox)
  return {
    ports: { network: from('network').network, identity: from('identity').identity, rail: from('rail').rail },
    tables: http.tables,
  }
}

import { createExchange, type Exchange } from '@causeway/connector/http/exchange'
import type { SharedKeys } from '@causeway/connector/http/signature'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { Ports } from '@causeway/connector/ports/ports'
import { randomText } from '../../platform/crypto/random.js'
import type { Store } from '../../platform/db/store.js'
import type { Log } from '../../platform/log.js'
import type { Metrics } from '../../platform/metrics.js'
import { createConnectorCaller } from './ask.js'
import { createHttpPorts } from './ports.js'
import { createSentCalls } from './sent-calls.js'
import { type LoadedTables, loadTables } from './tables.js'

/** A connector's address and the settings for calling it. */
export interface Connection {
  url: string
  keys: SharedKeys
  /** The time limit for an answer, in ms. */
  timeout: number
}

export interface ConnectDeps {
  store: Store
  log: Log
  metrics: Metrics
  /** The real time, in epoch milliseconds. Signatures are valid for one minute. */
  clock(): number
  sleep(ms: number): Promise<void>
  fetch: typeof fetch
}

/** The empty tables to use if the connector does not provide the network. */
const emptyTables: LoadedTables = {
  merchants: () => [],
  cardProducts: () => [],
  bureau: () => null,
  ready: () => true,
  stop() {},
}

/**
 * Creates the ports for an operator's connector. If the connector provides the network, loads the network's tables. The
 * service starts even if the connector can't be reached yet.
 */
export async function connectPorts(
  { network, ...connection }: Connection & { network: boolean },
  { store, log, metrics, clock, sleep, fetch }: ConnectDeps,
): Promise<{ ports: Ports; tables: LoadedTables }> {
  const send = createExchange({ ...connection, fetch, clock, id: () => randomText(20) })
  const exchange: Exchange = async (path, call) => {
    const startedAt = performance.now()
    const countCall = (outcome: 'ok' | 'refused' | 'broken') =>
      metrics.connectorCall(path, outcome, performance.now() - startedAt)
    try {
      const answer = await send(path, call)
      countCall('ok')
      return answer
    } catch (error) {
      countCall(error instanceof OutsideError && !error.retryable ? 'refused' : 'broken')
      throw error
    }
  }
  const callConnector = createConnectorCaller({ exchange, sentCalls: createSentCalls(store, clock), sleep, log })
  const tables = network ? await loadTables(callConnector, store, { clock, log }) : emptyTables
  return { ports: createHttpPorts(callConnector, tables), tables }
}

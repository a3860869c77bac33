/** Test helper that provides the ports of a running connector. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readSharedKeys } from '@causeway/connector/http/signature'
import type { Ports } from '@causeway/connector/ports/ports'
import { createConnectorCaller } from '../../network/connectors/ask.js'
import { connectExchange } from '../../network/connectors/connect.js'
import { createSentCalls } from '../../network/connectors/sent-calls.js'
import { loadTables } from '../../network/connectors/tables.js'
import { combinePorts } from '../../network/providers/ports.js'
import { routeAll } from '../../network/providers/routing.js'
import { createProviderUsage } from '../../network/providers/usage.js'
import type { Store } from '../../platform/db/store.js'
import { createLog } from '../../platform/log.js'
import { createMetrics } from '../../platform/metrics.js'
import { connectorKey } from './connector-process.js'

export const connectorKeys = readSharedKeys(connectorKey)!
/**
 * The time, in ms, that a test waits for a connector that doesn't respond. A connector that does respond takes only a
 * few ms.
 */
const TIMEOUT_MS = 500
/**
 * The factor by which tests speed up retries compared with production. Tests check the order of events, not their
 * timing.
 */
const SPEEDUP = 10

/** Connects to a connector and returns its ports, which use the test's store. */
async function portsOf(url: string, store: Store): Promise<Ports> {
  const clock = Date.now
  const log = createLog(() => {}, clock)
  const deps = { metrics: createMetrics(), providerUsage: createProviderUsage({ store, log, clock }), clock, fetch }
  const ask = createConnectorCaller({
    exchange: connectExchange({ url, keys: connectorKeys, timeout: TIMEOUT_MS }, deps),
    sentCalls: createSentCalls(store, Date.now),
    sleep: ms => sleep(ms / SPEEDUP),
    log,
  })
  const tables = await loadTables(ask, store, { clock: Date.now, log })
  tables.stop()
  return combinePorts({ routes: routeAll('connector'), callers: new Map([['connector', ask]]), tables })
}

/** Returns the connector's ports for the tests if `TEST_CONNECTOR` is set. See connector-setup.ts. */
export async function testConnector(store: Store, url = process.env['TEST_CONNECTOR_URL']): Promise<Ports | undefined> {
  return url ? portsOf(url, store) : undefined
}

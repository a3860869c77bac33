/** Test helper that provides the ports of a running connector. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readSharedKeys } from '@causeway/connector/http/signature'
import type { Ports } from '@causeway/connector/ports/ports'
import { connectPorts } from '../../network/connectors/connect.js'
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
  const { ports, tables } = await connectPorts(
    { url, keys: connectorKeys, timeout: TIMEOUT_MS, network: true },
    {
      store,
      log: createLog(() => {}, Date.now),
      metrics: createMetrics(),
      clock: Date.now,
      sleep: ms => sleep(ms / SPEEDUP),
      fetch,
    },
  )
  tables.stop()
  return ports
}

/** Returns the connector's ports for the tests if `TEST_CONNECTOR` is set. See connector-setup.ts. */
export async function testConnector(store: Store, url = process.env['TEST_CONNECTOR_URL']): Promise<Ports | undefined> {
  return url ? portsOf(url, store) : undefined
}

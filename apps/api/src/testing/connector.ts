/** For tests alone: the ports of a running connector. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connectTo } from '../network/connectors/connect.js'
import { readKeys } from '../network/connectors/signature.js'
import type { Ports } from '../network/ports.js'
import type { Store } from '../platform/db/store.js'
import { createLog } from '../platform/log.js'
import { createMetrics } from '../platform/metrics.js'
import { connectorKey } from './connector-process.js'

export const connectorKeys = readKeys(connectorKey)!
/** The time for which a test waits for an answer of a silent connector, ms; its other answers take a few. */
const TIMEOUT = 500
/** The factor by which retries are faster than in production: tests check the order of things, not patience. */
const SOONER = 10

/** The ports of a connector, kept in a test's store. */
async function portsOf(url: string, store: Store): Promise<Ports> {
  const { ports, tables } = await connectTo(
    { url, keys: connectorKeys, timeout: TIMEOUT, network: true },
    {
      store,
      log: createLog(() => {}, Date.now),
      metrics: createMetrics(),
      clock: Date.now,
      sleep: ms => sleep(ms / SOONER),
      fetch,
    },
  )
  tables.stop()
  return ports
}

/** The ports that the tests run with, where `TEST_CONNECTOR` asks for a connector: see connector-setup.ts. */
export async function testConnector(store: Store, url = process.env['TEST_CONNECTOR_URL']): Promise<Ports | undefined> {
  return url ? portsOf(url, store) : undefined
}

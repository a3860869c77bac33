/** Test helper that runs the connector with providers in this process, with a store of its own. */
import { randomUUID } from 'node:crypto'
import { createExchange, type Exchange } from '@causeway/connector/http/exchange'
import { createConnectorApp } from '../../main/connector/app.js'
import { createTeamAdder } from '../../main/connector/run.js'
import { sendPush } from '../../network/connectors/pushes.js'
import { createConnectorExchange } from '../../network/providers/connector-exchange.js'
import type { ConfiguredProvider } from '../../network/providers/host.js'
import { createOutbox } from '../../network/providers/outbox.js'
import { routeMethods } from '../../network/providers/routing.js'
import { createProviderUsage } from '../../network/providers/usage.js'
import { createVault } from '../../platform/crypto/vault.js'
import type { Store } from '../../platform/db/store.js'
import { createLog } from '../../platform/log.js'
import { createMetrics } from '../../platform/metrics.js'
import { stopAtEnd } from '../cleanup.js'
import { freshStore } from '../service.js'
import { connectorKeys } from './connector.js'

export interface ProviderConnectorOptions {
  providers: readonly ConfiguredProvider[]
  /** Reaches the providers. */
  fetch: typeof fetch
  clock(): number
  /** Reaches the service, for pushes. */
  toService: typeof fetch
  /** Carries calls from the service, and can lose them. */
  network?: (forward: () => Promise<Response>, path: string) => Promise<Response>
}

/** The connector, as the service and the providers reach it. */
export interface ProviderConnector {
  store: Store
  /** The log lines of the connector. */
  lines: string[]
  /** The service's exchange with the connector. */
  exchange: Exchange
  /** Handles a request to the connector's listener. */
  receive(request: Request): Promise<Response>
  /** Sends the pushes that are due. */
  sendPushes(): Promise<void>
}

export async function startProviderConnector(options: ProviderConnectorOptions): Promise<ProviderConnector> {
  const { providers, fetch: send, clock, toService, network = forward => forward() } = options
  const { store, remove } = await freshStore()
  stopAtEnd(async () => {
    await store.close()
    await remove()
  })
  const vault = createVault(Buffer.alloc(32, 8))
  const lines: string[] = []
  const log = createLog(line => lines.push(line), clock)
  const metrics = createMetrics()
  const providerUsage = createProviderUsage({ store, log, clock })
  const routes = routeMethods({
    names: providers.map(({ provider }) => provider.name),
    overrides: new Map(),
    providers,
  })
  if ('problem' in routes) throw new Error(routes.problem)
  const outbox = createOutbox({
    ...{ store, clock, log },
    send: push =>
      sendPush({ url: 'http://127.0.0.1:4000', keys: connectorKeys, clock: Date.now, fetch: toService }, push),
  })
  const app = createConnectorApp({
    ...{ store, clock, log, metrics, providerUsage, providers, outbox },
    keys: connectorKeys,
    exchange: createConnectorExchange(
      { routes, providers },
      { ...{ store, vault, log, metrics, providerUsage, clock, fetch: send }, addTeam: createTeamAdder(store, vault) },
    ),
    addressOf: remote => remote,
    limits: { keyless() {} } as never,
  })
  const receive = async (request: Request) => app.fetch(request)
  return {
    store,
    lines,
    receive,
    sendPushes: outbox.sendDue,
    exchange: createExchange({
      ...{ url: 'http://connector.test', keys: connectorKeys, timeout: 5_000, clock, id: randomUUID },
      fetch: (input, init) => {
        const request = new Request(input, init)
        return network(() => receive(request), new URL(request.url).pathname.slice(1))
      },
    }),
  }
}

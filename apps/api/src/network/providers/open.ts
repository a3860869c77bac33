import { STATEMENT_PATH } from '@causeway/connector/methods/contract'
import type { Ports } from '@causeway/connector/ports/ports'
import {
  type Capabilities,
  createCapabilities,
  type Discovery,
  defaultDiscovery,
} from '../capabilities/capabilities.js'
import { type CallConnector, createConnectorCaller } from '../connectors/ask.js'
import {
  type LoadedCapabilities,
  loadCapabilities,
  type PayRoute,
  readLatestCapabilities,
} from '../connectors/capabilities.js'
import { type Connection, connectExchange, countCalls } from '../connectors/connect.js'
import { createSentCalls } from '../connectors/sent-calls.js'
import { type LoadedTables, loadTables } from '../connectors/tables.js'
import type { ProviderUsage, StatementSource } from '../ports.js'
import { type ConfiguredProvider, createProviderHost, type HostDeps } from './host.js'
import { combinePorts } from './ports.js'
import { createServedRoutes, type Routes } from './routing.js'
import { createConnectorStatement, createStatementSources } from './statements.js'
import { linkTransfers } from './transfers.js'

export interface ProviderSetup {
  routes: Routes
  /** The providers in this process. */
  providers: readonly ConfiguredProvider[]
  /** The operator's connector, or null if no method uses it. */
  connector: Connection | null
  /** The ports of the sandbox. */
  sandbox: Ports
}

export interface OpenDeps extends HostDeps {
  providerUsage: ProviderUsage
  sleep(ms: number): Promise<void>
}

/** The tables to use if no provider has any, or if the sandbox's own are used. */
const emptyTables: LoadedTables = {
  merchants: () => [],
  cardProducts: () => [],
  bureau: () => undefined,
  ready: () => true,
  stop() {},
}

/** The capabilities to use without a connector. */
const allCapabilities: LoadedCapabilities = {
  paths: () => null,
  payRoutes: () => [],
  discovery: () => defaultDiscovery,
  stop() {},
}

/** Creates the functions that call the connector and the providers in this process, by name. */
export function createCallers(
  { providers, connector }: Pick<ProviderSetup, 'providers' | 'connector'>,
  deps: OpenDeps,
): ReadonlyMap<string, CallConnector> {
  const { store, log, clock, sleep } = deps
  const sentCalls = createSentCalls(store, clock)
  const callers = new Map<string, CallConnector>()
  if (connector)
    callers.set(
      'connector',
      linkTransfers(
        createConnectorCaller({ exchange: connectExchange(connector, deps), sentCalls, sleep, log }),
        'connector',
        deps,
      ),
    )
  for (const configured of providers) {
    const { name } = configured.provider
    const exchange = countCalls(createProviderHost(configured, deps), name, deps)
    callers.set(name, createConnectorCaller({ exchange, sentCalls, sleep, log }))
  }
  return callers
}

/**
 * Returns the ways in which a rail pays debts by the payee directory; none if it does not use the directory.
 * @param connector the capabilities of the operator's connector
 * @param rail the rail's provider. By default, the one that new payments go to
 */
export function payRoutesOf(
  { routes, providers }: Pick<ProviderSetup, 'routes' | 'providers'>,
  connector: Pick<LoadedCapabilities, 'payRoutes'>,
  rail = routes.get('rail/submit'),
): readonly PayRoute[] {
  if (rail === 'connector') return connector.payRoutes()
  const configured = providers.find(({ provider }) => provider.name === rail)
  return configured?.provider.capabilities(configured.settings).routes ?? []
}

/**
 * Returns the way in which accounts are found.
 * @param connector the capabilities of the operator's connector
 */
export function discoveryOf(
  { routes, providers }: Pick<ProviderSetup, 'routes' | 'providers'>,
  connector: Pick<LoadedCapabilities, 'discovery'> = allCapabilities,
): Discovery {
  const network = routes.get('network/discover')
  if (network === 'connector') return connector.discovery()
  const configured = providers.find(({ provider }) => provider.name === network)
  if (!configured) return defaultDiscovery
  const { discovery, persons, company } = configured.provider.capabilities(configured.settings)
  return { kind: discovery ?? 'search', persons: persons ?? 'any', ...(company !== undefined && { company }) }
}

/** Lists the statements of the providers in this process and of the connector. */
function listStatements(
  providers: ProviderSetup['providers'],
  connector: CallConnector | undefined,
  { paths }: Pick<LoadedCapabilities, 'paths'>,
  deps: OpenDeps,
): StatementSource[] {
  const statements = createStatementSources(providers, deps)
  return connector && paths()?.has(STATEMENT_PATH)
    ? [...statements, createConnectorStatement(connector, deps)]
    : statements
}

/** Opens the statements of all providers, for commands. */
export async function openStatements(
  { providers, connector }: Pick<ProviderSetup, 'providers' | 'connector'>,
  deps: OpenDeps,
): Promise<StatementSource[]> {
  const callers = createCallers({ providers: [], connector }, deps)
  return listStatements(providers, callers.get('connector'), await readLatestCapabilities(deps.store), deps)
}

/** The ports, and the data about the providers that the process holds in memory. */
export interface OpenedProviders {
  ports: Ports
  tables: LoadedTables
  /** The providers whose statements are compared with the store. */
  statements: StatementSource[]
  /** Returns the routes of the methods that are served now. */
  servedRoutes(): Routes
  capabilities: Capabilities
  /**
   * Returns the ways in which a rail pays debts by the payee directory; none if it does not use it.
   * @param rail the rail's provider. By default, the one that new payments go to
   */
  payRoutes(rail?: string): readonly PayRoute[]
  stop(): void
}

/**
 * Creates the ports from the configured providers, and loads the network's tables from the provider that has them, and
 * the list of methods that the operator's connector serves. The service starts even if they can't be reached yet.
 */
export async function openProviders(
  { routes, sandbox, ...setup }: ProviderSetup,
  deps: OpenDeps,
): Promise<OpenedProviders> {
  const callers = createCallers(setup, deps)
  const tablesCaller = callers.get(routes.get('network/tables') ?? '')
  const connector = callers.get('connector')
  const [tables, connectorCapabilities] = await Promise.all([
    tablesCaller ? loadTables(tablesCaller, deps.store, deps) : emptyTables,
    connector ? loadCapabilities(connector, deps.store, deps) : allCapabilities,
  ])
  const servedRoutes = createServedRoutes(routes, connectorCapabilities.paths)
  // A network whose tables nobody serves has none to wait for.
  const ready = () => tables.ready() || !servedRoutes().has('network/tables')
  return {
    ports: combinePorts({ routes, sandbox, callers, tables }),
    tables: { ...tables, ready },
    statements: listStatements(setup.providers, connector, connectorCapabilities, deps),
    servedRoutes,
    capabilities: createCapabilities(servedRoutes, () => discoveryOf({ routes, ...setup }, connectorCapabilities)),
    payRoutes: rail => payRoutesOf({ routes, ...setup }, connectorCapabilities, rail),
    stop() {
      tables.stop()
      connectorCapabilities.stop()
    },
  }
}

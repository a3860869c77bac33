/** Test helper that puts providers in front of other ports. */
import type { Ports } from '@causeway/connector/ports/ports'
import type { StatementSource } from '../network/ports.js'
import type { ConfiguredProvider } from '../network/providers/host.js'
import { createCallers, type OpenDeps } from '../network/providers/open.js'
import { combinePorts } from '../network/providers/ports.js'
import { type Routes, routeAll, routeMethods } from '../network/providers/routing.js'
import { createStatementSources } from '../network/providers/statements.js'

/** Providers to use where they serve a method, and the function that reaches them. */
export interface TestProviders {
  list: readonly ConfiguredProvider[]
  fetch: typeof fetch
}

/** Returns ports that use providers for the methods that they serve, and the other ports for the rest. */
export function withProviders(
  sandbox: Ports,
  providers: TestProviders | undefined,
  deps: Omit<OpenDeps, 'fetch'>,
): { ports: Ports; routes: Routes; statements: StatementSource[] } {
  if (!providers) return { ports: sandbox, routes: routeAll('sandbox'), statements: [] }
  const { list } = providers
  const routes = routeMethods({
    names: [...list.map(({ provider }) => provider.name), 'sandbox'],
    overrides: new Map(),
    providers: list,
  })
  if ('problem' in routes) throw new Error(routes.problem)
  const hostDeps = { ...deps, fetch: providers.fetch }
  const callers = createCallers({ providers: list, connector: null }, hostDeps)
  return {
    ports: combinePorts({ routes, sandbox, callers }),
    routes,
    statements: createStatementSources({ routes, providers: list }, hostDeps),
  }
}

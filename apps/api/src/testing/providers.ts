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
  /** The providers of single methods, by path, as in `PROVIDE`. */
  overrides?: ReadonlyMap<string, string>
}

/**
 * Returns ports that use providers for the methods that they serve, and the other ports for the rest.
 * `unserved` lists the paths of methods that no provider serves.
 */
export function withProviders(
  sandbox: Ports,
  { providers, unserved = [] }: { providers?: TestProviders; unserved?: readonly string[] },
  deps: Omit<OpenDeps, 'fetch'>,
): { ports: Ports; routes: Routes; statements: StatementSource[] } {
  if (!providers && unserved.length === 0) return { ports: sandbox, routes: routeAll('sandbox'), statements: [] }
  const { list, fetch: send, overrides = new Map<string, string>() } = providers ?? { list: [], fetch }
  const chosen = routeMethods({
    names: [...list.map(({ provider }) => provider.name), 'sandbox'],
    overrides,
    providers: list,
  })
  if ('problem' in chosen) throw new Error(chosen.problem)
  const routes = new Map([...chosen].filter(([path]) => !unserved.includes(path)))
  const hostDeps = { ...deps, fetch: send }
  const callers = createCallers({ providers: list, connector: null }, hostDeps)
  return {
    ports: combinePorts({ routes, sandbox, callers }),
    routes,
    statements: createStatementSources(list, hostDeps),
  }
}

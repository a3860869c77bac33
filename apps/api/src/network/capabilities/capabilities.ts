import { allNeeds, type CapabilityKind } from './needs.js'

/** The provider of each method, by path. */
type Routes = ReadonlyMap<string, string>

/** Answers what can be offered, from the methods that the configured providers serve now. */
export interface Capabilities {
  /**
   * Returns the reason that something can't be offered, as a sentence. Null if it can.
   * @param name a name of this kind in needs.ts
   */
  missing(kind: CapabilityKind, name: string): string | null
  list(): readonly Capability[]
  /** Returns the way in which accounts are found. */
  discovery(): Discovery
}

/** The way in which the network finds a person's accounts. */
export interface Discovery {
  /** `link`: people must link institutions before their accounts can be found. `search`: accounts are found without that. */
  kind: 'search' | 'link'
  /** `own`: the network knows people by the ids that matching returned. `any`: by any stable id. */
  persons: 'own' | 'any'
  /** The name of another company that receives people's details; null if it has none. Absent if there is no such company. */
  company?: string | null
}

/** The way in which a network finds accounts if it does not say. */
export const defaultDiscovery: Discovery = { kind: 'search', persons: 'own' }

/** A part of the service, and whether the configured providers can serve it. */
export interface Capability {
  kind: CapabilityKind
  name: string
  /** The reason that it is not available, as a sentence. Null if it is available. */
  reason: string | null
  /** The methods that it needs and that no provider serves. */
  unserved: readonly string[]
  /** The names of the providers that serve its methods. */
  providers: readonly string[]
}

/** Lists every part of the service, and whether it can be offered with these routes. Pure. */
export const describeCapabilities = (routes: Routes): Capability[] =>
  allNeeds.map(({ kind, name, paths }) => {
    const unserved = paths.filter(path => !routes.has(path))
    return {
      kind,
      name,
      unserved,
      reason:
        unserved.length === 0
          ? null
          : `${name} is not available: no provider in PROVIDERS serves ${new Intl.ListFormat('en').format(unserved)}.`,
      providers: [...new Set(paths.flatMap(path => routes.get(path) ?? []))],
    }
  })

/**
 * @param servedRoutes returns the methods that are served now. The same map until they change
 * @param discovery returns the way in which the network finds accounts now
 */
export function createCapabilities(
  servedRoutes: () => Routes,
  discovery: () => Discovery = () => defaultDiscovery,
): Capabilities {
  let described: { routes: Routes; list: Capability[]; reasons: Map<string, string | null> } | undefined
  function describe() {
    const routes = servedRoutes()
    if (described?.routes === routes) return described
    const list = describeCapabilities(routes)
    described = { routes, list, reasons: new Map(list.map(({ kind, name, reason }) => [`${kind} ${name}`, reason])) }
    return described
  }
  return {
    missing(kind, name) {
      const reason = describe().reasons.get(`${kind} ${name}`)
      if (reason === undefined) throw new Error(`needs.ts has no ${kind} ${name}.`)
      return reason
    },
    list: () => describe().list,
    discovery,
  }
}

declare module '../../platform/scope.js' {
  interface Deps {
    readonly capabilities: Capabilities
  }
}

/** Chooses the provider of each method. Pure. */
import { endpointsByPath } from '@causeway/connector/methods/contract'
import { servesMethod } from '@causeway/connector/provider/provider'
import type { ConfiguredProvider } from './host.js'

/**
 * The provider of each method, by path. Besides declared providers, these are `sandbox`, the sandbox in this process, and
 * `connector`, the operator's connector. A path that is missing is not served.
 */
export type Routes = ReadonlyMap<string, string>

/** The sandbox finds accounts by the person, so it has no institutions to link. */
const linkPaths = ['network/link', 'network/linked', 'network/unlink'] as const

/**
 * Methods that only one provider can serve together, because the later ones concern what the first one created. The
 * first method of each group decides.
 */
const groups: readonly (readonly string[])[] = [
  ['identity/send_code', 'identity/check_code'],
  ['identity/begin_sna', 'identity/check_sna'],
  ['identity/match', 'identity/questions', 'identity/answer'],
  ['rail/submit', 'rail/accepts', 'rail/cancel', 'rail/status', 'rail/reverse', 'rail/reversal'],
  ['rail/managed_accounts', 'rail/managed_transactions'],
  ['network/deposit', 'network/deposit_status'],
  ['network/discover', ...linkPaths],
]

const paths = [...endpointsByPath.keys()]
const isServedOutside = (name: string, path: string) =>
  name === 'connector' || (name === 'sandbox' && !linkPaths.some(each => each === path))

/** Returns routes that use one provider for every method. */
export const routeAll = (name: string): Routes =>
  new Map(paths.filter(path => isServedOutside(name, path)).map(path => [path, name]))

/**
 * Returns a function that returns the routes of the methods that are served now: all, except those of the operator's
 * connector that the connector does not serve. No other provider takes over.
 * @param connectorPaths returns the paths that the connector serves; null if it serves every method
 */
export function createServedRoutes(routes: Routes, connectorPaths: () => ReadonlySet<string> | null): () => Routes {
  let served: { by: ReadonlySet<string> | null; routes: Routes } = { by: null, routes }
  return () => {
    const by = connectorPaths()
    if (by !== served.by)
      served = {
        by,
        routes: new Map([...routes].filter(([path, name]) => name !== 'connector' || !by || by.has(path))),
      }
    return served.routes
  }
}

export interface RoutingInput {
  /** The names in `PROVIDERS`, in order. */
  names: readonly string[]
  /** The overrides in `PROVIDE`, by path. */
  overrides: ReadonlyMap<string, string>
  /** The providers in this process. */
  providers: readonly ConfiguredProvider[]
}

/** @returns the routes, or the reason that the settings contradict each other */
export function routeMethods({ names, overrides, providers }: RoutingInput): Routes | { problem: string } {
  const find = (name: string) => providers.find(({ provider }) => provider.name === name)
  const isOutside = (name: string) => name === 'sandbox' || name === 'connector'
  const serves = (name: string, path: string) => {
    const configured = find(name)
    return configured ? servesMethod(configured.provider, configured.settings, path) : isServedOutside(name, path)
  }
  const ownsPersons = (name: string) => {
    const configured = find(name)
    return configured ? configured.provider.capabilities(configured.settings).persons === 'own' : isOutside(name)
  }

  for (const [path, name] of overrides) {
    if (!endpointsByPath.has(path)) return { problem: `PROVIDE names ${path}, which is not a method` }
    if (!names.includes(name)) return { problem: `PROVIDE=${path}:${name} names a provider that is not in PROVIDERS` }
    if (!serves(name, path)) return { problem: `PROVIDE=${path}:${name}: ${name} does not serve ${path}` }
  }
  const first = (path: string) => overrides.get(path) ?? names.find(name => serves(name, path))
  const routes = new Map<string, string>()
  for (const path of paths) {
    const name = first(path)
    if (name !== undefined) routes.set(path, name)
  }

  // Discovery looks people up by the ids that matching returned. If these ids are the provider's own, it must match, too.
  const discoverer = routes.get('network/discover')
  if (discoverer !== undefined && ownsPersons(discoverer) && routes.get('identity/match') !== discoverer) {
    if (!overrides.has('identity/match')) routes.set('identity/match', discoverer)
    // A connector may serve no discovery, which is not known yet.
    else if (discoverer !== 'connector')
      return {
        problem: `${discoverer} finds debts only for the people that it matched, so it must also serve identity/match`,
      }
  }

  for (const [head, ...rest] of groups) {
    const provider = routes.get(head!)
    for (const path of rest) {
      if (overrides.has(path) && overrides.get(path) !== provider)
        return { problem: `${path} must have the same provider as ${head}` }
      if (provider !== undefined && serves(provider, path)) routes.set(path, provider)
      else routes.delete(path)
    }
  }
  return routes
}

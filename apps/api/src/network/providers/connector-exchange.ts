import { type Exchange, UnknownMethodError } from '@causeway/connector/http/exchange'
import { CAPABILITIES_PATH, endpointsByPath, OUTCOME_PATH, outcomeQuestion } from '@causeway/connector/methods/contract'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { countCalls } from '../connectors/connect.js'
import type { ProviderUsage } from '../ports.js'
import { type ConfiguredProvider, createProviderHost, type HostDeps } from './host.js'
import type { Routes } from './routing.js'

export interface ConnectorExchangeDeps extends HostDeps {
  /** Makes sure that a team's values can be encrypted. */
  addTeam(id: string): Promise<void>
  providerUsage: ProviderUsage
}

/** Creates the exchange of a connector that serves providers: each method goes to the provider that the routes name. */
export function createConnectorExchange(
  { routes, providers }: { routes: Routes; providers: readonly ConfiguredProvider[] },
  { addTeam, ...deps }: ConnectorExchangeDeps,
): Exchange {
  const hosts = new Map(
    providers.map(configured => {
      const { name } = configured.provider
      return [name, countCalls(createProviderHost(configured, deps), name, deps)]
    }),
  )
  /** The acts and checks in progress. */
  const running = new Set<string>()

  const rail = providers.find(({ provider }) => provider.name === routes.get('rail/submit'))
  const capabilities = {
    methods: [...routes.keys()],
    routes: rail ? (rail.provider.capabilities(rail.settings).routes ?? []) : [],
  }

  return async (path, call) => {
    if (path === CAPABILITIES_PATH) return capabilities
    const method = path === OUTCOME_PATH ? outcomeQuestion.parse(call.question).method : path
    const host = hosts.get(routes.get(method) ?? '')
    if (!host) throw new UnknownMethodError(`No provider serves ${method}.`, { outcome: 'nothing', retryable: false })
    await addTeam(call.team_id)
    if (endpointsByPath.get(method)?.method.kind === 'read') return host(path, call)
    const key = JSON.stringify([method, call.team_id, call.request_id])
    // The service gives up waiting before a slow provider answers. Its next call must not overtake the first one.
    // mutant: act-in-progress-is-not-repeated (false)
    if (running.has(key)) throw new OutsideError(`${method} is in progress.`)
    running.add(key)
    try {
      return await host(path, call)
    } finally {
      running.delete(key)
    }
  }
}

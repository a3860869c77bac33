import { type Exchange, UnknownMethodError } from '@causeway/connector/http/exchange'
import {
  CAPABILITIES_PATH,
  type Envelope,
  endpointsByPath,
  OUTCOME_PATH,
  outcomeQuestion,
  STATEMENT_PATH,
} from '@causeway/connector/methods/contract'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { countCalls } from '../connectors/connect.js'
import type { ProviderUsage } from '../ports.js'
import { type ConfiguredProvider, createProviderHost, type HostDeps } from './host.js'
import { discoveryOf } from './open.js'
import type { Routes } from './routing.js'

export interface ConnectorExchangeDeps extends HostDeps {
  /** Makes sure that a team's values can be encrypted. */
  addTeam(id: string): Promise<void>
  providerUsage: ProviderUsage
}

/** The methods whose answers name the transfers that the provider made for the call's resource. */
const namesTransfers: ReadonlySet<string> = new Set(['rail/status', 'rail/reversal', 'network/deposit'])
const MAX_TRANSFERS = 20

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
  const nameOf = (method: string) => routes.get(method === STATEMENT_PATH ? 'rail/submit' : method) ?? ''

  /** Adds the provider's ids of what it did, so that the service finds the lines of the statement. */
  async function addTransfers(method: string, { team_id, request_id }: Envelope, answer: unknown): Promise<unknown> {
    if (!namesTransfers.has(method) || typeof answer !== 'object') return answer
    const rows = await deps.store.reader
      .selectFrom('provider_objects')
      .select('external_id')
      .where('team_id', '=', team_id)
      .where('resource_id', '=', request_id)
      .where('provider', '=', nameOf(method))
      .limit(MAX_TRANSFERS)
      .execute()
    return rows.length === 0 ? answer : { ...answer, transfers: rows.map(({ external_id }) => external_id) }
  }

  /** The acts and checks in progress. */
  const running = new Set<string>()

  const rail = providers.find(({ provider }) => provider.name === routes.get('rail/submit'))
  const discovery = discoveryOf({ routes, providers })
  const capabilities = {
    methods: [...routes.keys(), ...(rail?.provider.statement ? [STATEMENT_PATH] : [])],
    routes: rail ? (rail.provider.capabilities(rail.settings).routes ?? []) : [],
    discovery: discovery.kind,
    persons: discovery.persons,
    ...(discovery.company !== undefined && { company: discovery.company }),
  }

  return async (path, call) => {
    if (path === CAPABILITIES_PATH) return capabilities
    const method = path === OUTCOME_PATH ? outcomeQuestion.parse(call.question).method : path
    const host = hosts.get(nameOf(method))
    if (!host) throw new UnknownMethodError(`No provider serves ${method}.`, { outcome: 'nothing', retryable: false })
    await addTeam(call.team_id)
    const isRead = (endpointsByPath.get(method)?.method.kind ?? 'read') === 'read'
    if (isRead) return addTransfers(method, call, await host(path, call))
    const key = JSON.stringify([method, call.team_id, call.request_id])
    // The service gives up waiting before a slow provider answers. Its next call must not overtake the first one.
    // mutant: act-in-progress-is-not-repeated (false)
    if (running.has(key)) throw new OutsideError(`${method} is in progress.`)
    running.add(key)
    try {
      const answer = await host(path, call)
      if (path !== OUTCOME_PATH) return await addTransfers(method, call, answer)
      const outcome = answer as { known: boolean; answer?: unknown }
      return outcome.known ? { known: true, answer: await addTransfers(method, call, outcome.answer) } : outcome
    } finally {
      running.delete(key)
    }
  }
}

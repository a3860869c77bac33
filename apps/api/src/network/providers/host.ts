import type { Exchange } from '@causeway/connector/http/exchange'
import type { Envelope } from '@causeway/connector/methods/contract'
import { createProviderExchange } from '@causeway/connector/provider/exchange'
import { createGuardedFetch, RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import type { Provider, ProviderContext, ProviderResponse } from '@causeway/connector/provider/provider'
import type { Settings, SettingValues } from '@causeway/connector/provider/settings'
import type { Vault } from '../../platform/crypto/vault.js'
import type { Store } from '../../platform/db/types.js'
import type { Log } from '../../platform/log.js'
import type { Metrics } from '../../platform/metrics.js'
import { watchCredentials } from './health.js'
import { createProviderRows, createSealerOf, createStoredAnswers, linkObject, readOnce } from './store.js'

/** A provider with the settings that the operator gave it. */
export interface ConfiguredProvider {
  provider: Provider
  settings: SettingValues<Settings>
}

export interface HostDeps {
  store: Store
  vault: Vault
  log: Log
  metrics: Metrics
  /** The real time, in epoch milliseconds. */
  clock(): number
  fetch: typeof fetch
}

/** The time limit for one request to a provider, in ms. A call of a port may need several. */
const REQUEST_TIMEOUT_MS = 8_000

/** Returns text if it can only be an id or a code. */
const loggable = (text: string | undefined): string | undefined =>
  text === undefined || (text.length <= 100 && /^[\w.:-]*$/.test(text)) ? text : 'unprintable'

/** Creates the contexts in which a provider runs, by team: the services that it may use, and nothing else. */
export function createProviderContexts(
  { provider, settings }: ConfiguredProvider,
  { store, vault, log, clock, fetch: send }: Omit<HostDeps, 'metrics'>,
): (team: string) => ProviderContext {
  const sealerOf = createSealerOf(store, vault)
  const guardedFetch = createGuardedFetch({
    title: provider.title,
    hosts: provider.hosts(settings),
    timeoutMs: REQUEST_TIMEOUT_MS,
    fetch: send,
  })
  return team => ({
    settings,
    fetch: guardedFetch,
    store: createProviderRows({ store, sealerOf: readOnce(sealerOf), clock }, provider.name, team),
    now: clock,
    log: (level, event, { request_id, external_id, status, code } = {}) =>
      log(level, event, {
        provider: provider.name,
        team_id: team,
        request_id: loggable(request_id),
        external_id: loggable(external_id),
        provider_status: loggable(status),
        provider_code: loggable(code),
      }),
    link: (externalId, resource) => linkObject({ store, clock }, provider.name, team, externalId, resource),
    fingerprint: value => vault.hash(`${provider.name} ${team}`, value),
  })
}

/**
 * Returns true if an answer shows that the provider accepted the credentials, unless the provider's own code then says
 * that it did not. 429 may come before the credentials are read.
 */
const isAnswered = ({ status }: ProviderResponse): boolean => status < 500 && status !== 429

/** Runs a provider in this process. */
export function createProviderHost(configured: ConfiguredProvider, deps: HostDeps): Exchange {
  const { provider } = configured
  const { store, vault, log, clock } = deps
  const contextOf = createProviderContexts(configured, deps)
  /** The calls for which the provider answered a request. Stored answers and some methods need none. */
  const answeredCalls = new WeakSet<Envelope>()
  const exchange = createProviderExchange({
    provider,
    contextOf: call => {
      const context = contextOf(call.team_id)
      return {
        ...context,
        async fetch(request) {
          const response = await context.fetch(request)
          if (isAnswered(response)) answeredCalls.add(call)
          return response
        },
      }
    },
    answers: createStoredAnswers({ store, vault, clock }, createSealerOf(store, vault)),
  })

  const recordCredentials = watchCredentials({ store, log, clock }, provider.name)
  return async (path, call) => {
    try {
      const answer = await exchange(path, call)
      if (answeredCalls.has(call)) await recordCredentials(true)
      return answer
    } catch (error) {
      if (error instanceof RejectedKeyError) await recordCredentials(false)
      else if (answeredCalls.has(call)) await recordCredentials(true)
      throw error
    }
  }
}

import type { Exchange } from '@causeway/connector/http/exchange'
import { createProviderExchange } from '@causeway/connector/provider/exchange'
import { createGuardedFetch, RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import type { Provider, ProviderContext } from '@causeway/connector/provider/provider'
import type { Settings, SettingValues } from '@causeway/connector/provider/settings'
import type { Vault } from '../../platform/crypto/vault.js'
import type { Store } from '../../platform/db/types.js'
import type { Log } from '../../platform/log.js'
import type { Metrics } from '../../platform/metrics.js'
import { watchCredentials } from './health.js'
import { createProviderRows, createSealerOf, createStoredAnswers, linkObject } from './store.js'

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
    store: createProviderRows({ store, sealerOf, clock }, provider.name, team),
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

/** Runs a provider in this process. */
export function createProviderHost(configured: ConfiguredProvider, deps: HostDeps): Exchange {
  const { provider } = configured
  const { store, vault, log, clock } = deps
  const contextOf = createProviderContexts(configured, deps)
  const exchange = createProviderExchange({
    provider,
    contextOf: ({ team_id }) => contextOf(team_id),
    answers: createStoredAnswers({ store, vault, clock }, createSealerOf(store, vault)),
  })

  const credentials = watchCredentials({ store, log, clock }, provider.name)
  return async (path, call) => {
    try {
      const answer = await exchange(path, call)
      await credentials.accepted()
      return answer
    } catch (error) {
      if (error instanceof RejectedKeyError) await credentials.rejected()
      throw error
    }
  }
}

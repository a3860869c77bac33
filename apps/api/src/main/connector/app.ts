import { randomUUID } from 'node:crypto'
import type { Exchange } from '@causeway/connector/http/exchange'
import { createConnector } from '@causeway/connector/http/serve'
import type { SharedKeys } from '@causeway/connector/http/signature'
import { CAPABILITIES_PATH, endpointsByPath, OUTCOME_PATH } from '@causeway/connector/methods/contract'
import type { Hono } from 'hono'
import { hookPath, receiveHook } from '../../network/providers/hooks.js'
import type { ConfiguredProvider } from '../../network/providers/host.js'
import type { Outbox } from '../../network/providers/outbox.js'
import {
  createListener,
  createPlainEnvelope,
  exchangeOf,
  type ListenerEnv,
} from '../../platform/http/pipeline/envelope.js'
import type { Deps } from '../../platform/scope.js'
import { addIncoming } from '../listeners/incoming.js'

export interface ConnectorAppDeps
  extends Pick<Deps, 'store' | 'clock' | 'log' | 'metrics' | 'providerUsage' | 'addressOf' | 'limits'> {
  readonly keys: SharedKeys
  readonly exchange: Exchange
  readonly providers: readonly ConfiguredProvider[]
  readonly outbox: Outbox
}

/** Creates the listener of a connector with providers: the methods of the contract, and the providers' webhooks. */
export function createConnectorApp(deps: ConnectorAppDeps): Hono<ListenerEnv> {
  const { store, clock, log, providerUsage, outbox, keys, exchange } = deps
  const listener = createListener()
  const incoming = { ...deps, apiOrigin: '' }
  const hookDeps = {
    ...{ store, clock, log, providerUsage },
    async inTeam(team: string, work: Parameters<Parameters<typeof receiveHook>[0]['inTeam']>[1]) {
      await store.write(db => work({ db, report: resource => outbox.add(db, team, resource) }))
      void outbox.sendDue()
    },
  }
  for (const configured of deps.providers.filter(({ provider }) => provider.hooks))
    addIncoming(listener, incoming, hookPath(configured.provider.name), (request, countRejected) =>
      receiveHook(hookDeps, configured, request, countRejected),
    )
  const answer = createConnector({ exchange, keys, clock, id: randomUUID })
  const serve = createPlainEnvelope(deps, '')
  listener.post('/*', c => {
    const path = c.req.path.slice(1)
    const isMethod = endpointsByPath.has(path) || [OUTCOME_PATH, CAPABILITIES_PATH].includes(path)
    return serve(exchangeOf(deps, c, isMethod ? `/${path}` : '*'), () => answer(c.req.raw))
  })
  return listener
}

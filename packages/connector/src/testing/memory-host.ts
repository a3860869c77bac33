/** Runs a provider without the service: its rows and answers are in memory. For tests of providers. */
import { createHash } from 'node:crypto'
import type { Exchange } from '../http/exchange.js'
import { createProviderExchange, type StoredAnswers } from '../provider/exchange.js'
import { createGuardedFetch } from '../provider/guarded-fetch.js'
import type { LinkedResource, Provider, ProviderContext } from '../provider/provider.js'
import { readSettings } from '../provider/settings.js'

export interface MemoryHostOptions {
  env: Readonly<Record<string, string | undefined>>
  fetch?: typeof fetch
  now?: () => number
  timeoutMs?: number
}

export interface MemoryHost {
  exchange: Exchange
  /** The context that the provider gets for a team's calls. */
  contextOf(team: string): ProviderContext
  /** The resources that the provider linked, by its own ids. */
  links: Map<string, LinkedResource & { team_id: string }>
  /** The events that the provider logged. */
  log: { level: string; event: string; fields: object }[]
}

const digest = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** @throws if the provider's settings are not valid */
export function createMemoryHost(
  provider: Provider,
  { env, fetch: send = fetch, now = Date.now, timeoutMs = 2_000 }: MemoryHostOptions,
): MemoryHost {
  const { values: settings, faults } = readSettings(provider.settings, env)
  if (faults) throw new Error(faults.map(({ message }) => message).join(' '))
  const rows = new Map<string, string>()
  const stored = new Map<string, unknown>()
  const links: MemoryHost['links'] = new Map()
  const log: MemoryHost['log'] = []
  const guardedFetch = createGuardedFetch({
    title: provider.title,
    hosts: provider.hosts(settings),
    timeoutMs,
    fetch: send,
  })

  const contextOf = (team: string): ProviderContext => {
    const key = (kind: string, id: string) => digest(team, kind, id)
    const get = async (kind: string, id: string) => {
      const row = rows.get(key(kind, id))
      return row === undefined ? undefined : JSON.parse(row)
    }
    return {
      settings,
      fetch: guardedFetch,
      store: {
        get,
        async put(kind, id, value) {
          rows.set(key(kind, id), JSON.stringify(value))
        },
        async claim(kind, id, value) {
          if (!rows.has(key(kind, id))) rows.set(key(kind, id), JSON.stringify(value))
          return get(kind, id)
        },
        async delete(kind, id) {
          rows.delete(key(kind, id))
        },
      },
      now,
      log: (level, event, fields = {}) => log.push({ level, event, fields }),
      async link(externalId, resource) {
        links.set(externalId, { ...resource, team_id: team })
      },
      fingerprint: value => digest(team, 'fingerprint', value),
    }
  }

  const answers: StoredAnswers = {
    async find(path, { team_id, request_id }, check) {
      const key = digest(path, team_id, request_id, check)
      return stored.has(key) ? { answer: stored.get(key) } : undefined
    },
    async save(path, { team_id, request_id }, check, answer) {
      const key = digest(path, team_id, request_id, check)
      // An answer must be JSON, because a service stores it as text.
      if (!stored.has(key)) stored.set(key, JSON.parse(JSON.stringify(answer)))
      return stored.get(key)
    },
  }
  const exchange = createProviderExchange({ provider, contextOf: ({ team_id }) => contextOf(team_id), answers })
  return { exchange, contextOf, links, log }
}

/**
 * Test helper that watches every test service. Records the secret and personal values in the service's request and
 * response bodies, in its calls to external services, and in the data that it encrypts. When the service stops, none
 * of these values may appear in plain text in a log line, an event, a webhook, a URL or the store. As a result, every
 * API test also runs this check, on both engines.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { Ports } from '@causeway/connector/ports/ports'
import { sql } from 'kysely'
import type { App } from '../../main/app.js'
import type { Vault } from '../../platform/crypto/vault.js'
import type { Store } from '../../platform/db/store.js'
import type { Outbound } from '../../platform/outbound/outbound.js'
import { createCanary, dump, watchedFields as fields, MIN_LENGTH, unsearchedFields } from './canary.js'

export interface Watch {
  vault(vault: Vault): Vault
  outbound(outbound: Outbound): Outbound
  ports(ports: Ports): Ports
  app(app: App): App
  /** Registers the process's log lines, which are searched when the service stops. */
  log(lines: readonly string[]): void
  /**
   * Returns a message for each value that appears where it must not.
   * @param file the SQLite file, or null
   */
  leaks(store: Store, file: string | null): Promise<string[]>
}

/**
 * Removes the token that the contract itself includes in a path. Source: contract, GET
 * /elements/token/{element_token}/results.
 */
const withoutToken = (path: string) => path.replace(/^((?:\/enveloped)?\/elements\/token\/)[^/?]+/, '$1')

const decodeQuery = (search: string) => [...new URLSearchParams(search)].flat().join(' ')

/** @param chance true if bodies are random. In that case, only keys, tokens and bearer values are searched for */
export function createWatch({ chance }: { chance: boolean }): Watch {
  const canary = createCanary()
  const read = chance ? canary.readTokens : canary.read
  const logs: (readonly string[])[] = []
  const events: string[] = []
  const outboundTexts: string[] = []
  const paths = new Set<string>()

  /** Fields that the service encrypts but that are in neither of the canary's lists. */
  const unlistedFields = new Set<string>()
  function noteSealed(value: unknown, name: string): void {
    if (typeof value === 'string') {
      if (value.length >= MIN_LENGTH && !(name in fields)) unlistedFields.add(name)
    } else if (Array.isArray(value)) for (const item of value) noteSealed(item, name)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) if (!unsearchedFields.has(key)) noteSealed(inner, key)
  }

  const watchFetch =
    <A extends unknown[]>(fetch: (request: Request, ...rest: A) => Response | Promise<Response>) =>
    async (request: Request, ...rest: A): Promise<Response> => {
      // Reads a clone of the body in parallel. Otherwise, a service that stops reading early would wait until the clone
      // is read.
      const body =
        request.body === null
          ? ''
          : request
              .clone()
              .text()
              .catch(() => '')
      read(request.headers.get('authorization') ?? '')
      const response = await fetch(request, ...rest)
      read(await body)
      if (/json/.test(response.headers.get('content-type') ?? '')) read(await response.clone().text())
      // Checks only the URLs of accepted requests. A rejected request may contain values that the caller made up.
      const { pathname, search } = new URL(request.url)
      if (response.status < 400)
        paths.add(withoutToken(pathname + search)).add(withoutToken(pathname) + decodeQuery(search))
      return response
    }

  /** Records calls to a port and their results. Excludes the port's tables, which contain only institutions. */
  const watchPort = <P extends object>(inner: P): P =>
    new Proxy(inner, {
      get(target, name, receiver) {
        const method = Reflect.get(target, name, receiver)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => {
          const result = method.apply(target, args)
          if (!(result instanceof Promise)) return result
          if (!chance) canary.collect(args)
          return result.then(answer => {
            if (!chance) canary.collect(answer)
            return answer
          })
        }
      },
    })

  return {
    vault: vault => ({
      ...vault,
      sealer(team, wrapped) {
        const { seal, pack, ...others } = vault.sealer(team, wrapped)
        return {
          ...others,
          pack(place, value, dictionary) {
            if (place.id.startsWith('evt_')) events.push(value)
            else read(value)
            return pack(place, value, dictionary)
          },
          seal(place, value) {
            if (place.id.startsWith('evt_')) events.push(value)
            else if (chance) read(value)
            else if (value.startsWith('{')) {
              canary.read(value)
              if (['details', 'entity', 'data'].includes(place.field)) noteSealed(JSON.parse(value), place.field)
              // Providers store times, which other tables contain in plain text.
            } else if (place.field !== 'provider_rows' || !/^1\d{12}$/.test(value)) canary.note(place.field, value)
            return seal(place, value)
          },
        }
      },
    }),
    outbound: outbound => ({
      ...outbound,
      call(call) {
        outboundTexts.push(call.url)
        // Forwarded values are supposed to reach their recipient.
        if ('webhook-id' in call.headers) outboundTexts.push(call.body ?? '')
        return outbound.call(call)
      },
    }),
    ports: ports => ({
      network: watchPort(ports.network),
      identity: watchPort(ports.identity),
      rail: watchPort(ports.rail),
    }),
    app(app) {
      app.api.fetch = watchFetch(app.api.fetch) as typeof app.api.fetch
      app.frame.fetch = watchFetch(app.frame.fetch) as typeof app.frame.fetch
      return app
    },
    log: lines => void logs.push(lines),
    async leaks(store, file) {
      const leaks = [
        ...canary.findInLog(logs.flat().join('\n')).map(what => `a log line: ${what}`),
        ...canary.find(events.join('\n')).map(what => `an event: ${what}`),
        ...canary.find(outboundTexts.join('\n')).map(what => `a webhook, or an address that is called: ${what}`),
        ...canary.find([...paths].join('\n')).map(what => `the URL of a request: ${what}`),
      ]
      const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(store.reader)).rows
      for (const { table, column = '', text } of await dump(store.engine, query))
        leaks.push(...canary.find(text).map(what => `table ${table} ${column}: ${what}`))
      for (const suffix of file === null ? [] : ['', '-wal', '.lock', '.pid'])
        if (existsSync(file + suffix))
          leaks.push(...canary.find(readFileSync(file + suffix)).map(what => `the file's bytes ${suffix}: ${what}`))
      for (const name of unlistedFields)
        leaks.push(`the encrypted field ${name} is in neither list in testing/leaks/canary.ts`)
      return [...new Set(leaks)]
    },
  }
}

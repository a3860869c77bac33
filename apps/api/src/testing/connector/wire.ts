/** Test helper that connects the HTTP adapters to a connector without a network. A fault injector sits between them. */
import { randomUUID } from 'node:crypto'
import { createExchange } from '@causeway/connector/http/exchange'
import { createConnector, createPortsExchange } from '@causeway/connector/http/serve'
import type { Ports } from '@causeway/connector/ports/ports'
import { createConnectorCaller } from '../../network/connectors/ask.js'
import { combinePorts } from '../../network/providers/ports.js'
import { routeAll } from '../../network/providers/routing.js'
import { createLog } from '../../platform/log.js'
import { connectorKeys } from './connector.js'

type Forward = () => Promise<Response>

export interface Wire {
  ports: Ports
  /** The paths of the calls that were sent, in order. */
  paths: string[]
  /** Faults for the next calls, in order. Further calls succeed. */
  between: ((forward: Forward, path: string) => Promise<Response>)[]
  /** The waits between attempts, in ms. */
  waits: number[]
  /** The log lines written so far. */
  lines: string[]
}

/** Delivers an action but loses the response. */
export const loseAnswer = async (forward: Forward): Promise<Response> => {
  await forward()
  throw new TypeError('fetch failed')
}
/** Loses the call before it arrives. */
export const loseCall = async (): Promise<Response> => {
  throw new TypeError('fetch failed')
}

/**
 * @param inside the ports behind the connector
 * @param earlierActions actions that were sent earlier, such as `rail/submit pmt_1`
 */
export function wire(inside: Ports, earlierActions: readonly string[] = []): Wire {
  const connector = createConnector({
    exchange: createPortsExchange(inside),
    keys: connectorKeys,
    clock: Date.now,
    id: randomUUID,
  })
  const actions = new Set(earlierActions)
  const recorded: Omit<Wire, 'ports'> = { paths: [], between: [], waits: [], lines: [] }
  const exchange = createExchange({
    url: 'https://connector.example/',
    keys: connectorKeys,
    timeout: 1_000,
    clock: Date.now,
    id: randomUUID,
    async fetch(url, init) {
      const path = new URL(String(url)).pathname.slice(1)
      recorded.paths.push(path)
      const { signal, ...rest } = init!
      const slow = new Promise<never>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
      const forward = () => connector(new Request(String(url), rest))
      return Promise.race([(recorded.between.shift() ?? (go => go()))(forward, path), slow])
    },
  })
  const ask = createConnectorCaller({
    exchange,
    sentCalls: {
      async recordSend(method, request_id) {
        const isRepeated = actions.has(`${method} ${request_id}`)
        actions.add(`${method} ${request_id}`)
        return isRepeated
      },
    },
    async sleep(ms) {
      recorded.waits.push(ms)
    },
    log: createLog(line => recorded.lines.push(line), Date.now),
  })
  const { merchants, cardProducts, bureau } = inside.network
  const ports = combinePorts({
    routes: routeAll('connector'),
    callers: new Map([['connector', ask]]),
    tables: { merchants, cardProducts, bureau },
  })
  return { ...recorded, ports }
}

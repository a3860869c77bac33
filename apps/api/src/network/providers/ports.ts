import { UnknownMethodError } from '@causeway/connector/http/exchange'
import { methodsOf, type PortName, pathOf } from '@causeway/connector/methods/contract'
import type { Ports } from '@causeway/connector/ports/ports'
import type { CallConnector } from '../connectors/ask.js'
import type { NetworkTables } from '../connectors/tables.js'
import { type RoutedCall, UnconfiguredProviderError } from '../ports.js'
import type { Routes } from './routing.js'

interface CombineInput {
  routes: Routes
  /** The ports of the sandbox, which run in this process without an exchange. Not needed if no route names it. */
  sandbox?: Ports
  /** The callers of the other providers, by name. */
  callers: ReadonlyMap<string, CallConnector>
  /** The tables of the provider that serves `network/tables`. Not needed if the sandbox serves them. */
  tables?: NetworkTables
}

const noTables: NetworkTables = { merchants: () => [], cardProducts: () => [], bureau: () => undefined }

type Handler = (call: RoutedCall) => Promise<unknown>

/**
 * Creates the three ports. Each method calls the provider that the call names or, if it names none, the provider that the
 * routes name.
 */
export function combinePorts({ routes, sandbox, callers, tables = noTables }: CombineInput): Ports {
  const handlerOf = (port: PortName, name: string): Handler => {
    const path = pathOf(port, name)
    const declaration = methodsOf(port)[name]!
    return async ({ provider: fixed = null, ...call }) => {
      let provider = routes.get(path)
      // mutant: payments-stay-with-their-rail (remove)
      if (fixed !== null) provider = fixed
      if (provider === 'sandbox' && sandbox) return (sandbox[port] as unknown as Record<string, Handler>)[name]!(call)
      const caller = callers.get(provider ?? '')
      if (caller) return caller(path, declaration, call)
      if (fixed !== null) throw new UnconfiguredProviderError(fixed)
      if (declaration.absent !== undefined) return declaration.absent
      throw new UnknownMethodError(`No provider serves ${path}.`, { outcome: 'nothing', retryable: false })
    }
  }
  const port = (name: PortName) =>
    Object.fromEntries(Object.keys(methodsOf(name)).map(method => [method, handlerOf(name, method)]))
  const ownTables: Pick<Ports['network'], 'merchants' | 'cardProducts' | 'bureau' | 'drawing'> =
    routes.get('network/tables') === 'sandbox' && sandbox
      ? sandbox.network
      : {
          merchants: (ids?: readonly string[]) => {
            const all = tables.merchants()
            return ids ? all.filter(merchant => ids.includes(merchant.id)) : [...all]
          },
          cardProducts: tables.cardProducts,
          bureau: tables.bureau,
        }
  const { merchants, cardProducts, bureau, drawing } = ownTables
  return {
    network: {
      ...port('network'),
      merchants: ids => merchants(ids),
      cardProducts: () => cardProducts(),
      bureau: () => bureau(),
      ...(drawing && { drawing: (id: string) => drawing(id) }),
    } as Ports['network'],
    identity: port('identity') as unknown as Ports['identity'],
    rail: port('rail') as unknown as Ports['rail'],
  }
}

import { UnknownMethodError } from '@causeway/connector/http/exchange'
import { methodsOf, type PortName, pathOf } from '@causeway/connector/methods/contract'
import type { CardProduct } from '@causeway/connector/ports/account-data'
import type { PortCall } from '@causeway/connector/ports/call'
import type { Bureau, Merchant } from '@causeway/connector/ports/network'
import type { Ports } from '@causeway/connector/ports/ports'
import type { CallConnector } from './ask.js'

export interface NetworkTables {
  merchants(): readonly Merchant[]
  cardProducts(): readonly CardProduct[]
  bureau(): Bureau | null
}

/** Creates the three ports that call the operator's connector. */
export function createHttpPorts(callConnector: CallConnector, tables: NetworkTables): Ports {
  const port = (name: PortName) =>
    Object.fromEntries(
      Object.entries(methodsOf(name)).map(([method, declaration]) => [
        method,
        async (call: PortCall) => {
          try {
            return await callConnector(pathOf(name, method), declaration, call)
          } catch (error) {
            if (declaration.absent !== undefined && error instanceof UnknownMethodError) return declaration.absent
            throw error
          }
        },
      ]),
    )

  return {
    network: {
      ...port('network'),
      merchants: (ids?: readonly string[]) => {
        const all = tables.merchants()
        return ids ? all.filter(merchant => ids.includes(merchant.id)) : [...all]
      },
      cardProducts: tables.cardProducts,
      bureau: tables.bureau,
    } as unknown as Ports['network'],
    identity: port('identity') as unknown as Ports['identity'],
    rail: port('rail') as unknown as Ports['rail'],
  }
}

import type { CardProduct } from '../account-data.js'
import type { Bureau, Merchant } from '../port.js'
import type { PortCall, Ports } from '../ports.js'
import type { CallConnector } from './ask.js'
import { methodsOf, type PortName, pathOf } from './contract.js'
import { UnknownMethodError } from './exchange.js'

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

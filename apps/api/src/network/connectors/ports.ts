import type { CardProduct } from '../account-data.js'
import type { Bureau, Merchant } from '../port.js'
import type { Call, Ports } from '../ports.js'
import type { Ask } from './ask.js'
import { methodsOf, type PortName, pathOf } from './contract.js'
import { UnknownMethodError } from './exchange.js'

export interface Tables {
  merchants(): readonly Merchant[]
  cardProducts(): readonly CardProduct[]
  bureau(): Bureau | null
}

/** Creates the three ports that call the operator's connector. */
export function createHttpPorts(ask: Ask, tables: Tables): Ports {
  const port = (name: PortName) =>
    Object.fromEntries(
      Object.entries(methodsOf(name)).map(([method, row]) => [
        method,
        async (call: Call) => {
          try {
            return await ask(pathOf(name, method), row, call)
          } catch (error) {
            if (row.absent !== undefined && error instanceof UnknownMethodError) return row.absent
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

import type { Liability } from '@causeway/connector/ports/liability'
import type { Ports } from '@causeway/connector/ports/ports'
import type { RailAccount, RailPayment } from '@causeway/connector/ports/rail'
import type { Vault } from '../../platform/crypto/vault.js'
import type { Store } from '../../platform/db/types.js'
import type { RoutedCall } from '../ports.js'
import { fillPayee, type PayeeDetails, payableThrough } from './payee.js'
import { type ActivePayee, findActivePayees } from './store.js'

/**
 * Wraps the ports so that, while the rail pays by the payee directory, debts are payable as the directory says, and
 * payments carry their merchant's payee.
 */
export function withPayees(
  { network, identity, rail }: Ports,
  deps: { store: Store; vault: Vault },
  payRoutes: (rail?: string) => readonly PayeeDetails['route'][],
): Ports {
  async function reach<T extends Liability | null>(liabilities: T[]): Promise<T[]> {
    const routes = payRoutes()
    if (routes.length === 0) return liabilities
    const payees = await findActivePayees(deps, [...new Set(liabilities.flatMap(debt => debt?.mch_id ?? []))])
    return liabilities.map(debt => {
      if (debt === null || debt.status === 'closed') return debt
      const details = payees.get(debt.mch_id)?.details ?? null
      return { ...debt, payable: payableThrough(details, debt.number !== null, routes) }
    })
  }

  const payeeOf = async ({ type, mch_id }: RailAccount, rail?: string) =>
    type === 'ach' || mch_id === null || payRoutes(rail).length === 0
      ? undefined
      : (await findActivePayees(deps, [mch_id])).get(mch_id)

  return {
    identity,
    network: {
      ...network,
      async discover(call) {
        const answer = await network.discover(call)
        return answer.status === 'completed' ? { ...answer, liabilities: await reach(answer.liabilities) } : answer
      },
      async describe(call) {
        const [debt] = await reach([await network.describe(call)])
        return debt ?? null
      },
      async readTradelines(call) {
        const answer = await network.readTradelines(call)
        return answer.status === 'completed' ? { ...answer, liabilities: await reach(answer.liabilities) } : answer
      },
      opened: async call => reach(await network.opened(call)),
      async changes(call) {
        const answer = await network.changes(call)
        if (answer.status !== 'completed') return answer
        const debts = await reach(answer.changes.map(change => (change.type === 'account' ? change.liability : null)))
        const changes = answer.changes.map((change, index) =>
          change.type === 'account' ? { ...change, liability: debts[index]! } : change,
        )
        return { ...answer, changes }
      },
    },
    rail: {
      ...rail,
      async accepts(call) {
        const payee = await payeeOf(call.destination)
        if (payee && payee.max_amount !== null && call.amount > payee.max_amount)
          return { accepted: false, sub_type: 'MAX_AMOUNT_EXCEEDED' }
        return rail.accepts({ ...call, destination: withPayee(call.destination, payee, '') })
      },
      async submit(call: RoutedCall & RailPayment) {
        const payee = await payeeOf(call.destination, call.provider ?? undefined)
        return rail.submit({ ...call, destination: withPayee(call.destination, payee, call.payment_id) })
      },
    },
  }
}

const withPayee = (destination: RailAccount, payee: ActivePayee | undefined, payment: string): RailAccount =>
  payee ? { ...destination, payee: fillPayee(payee.details, destination.number, payment) } : destination

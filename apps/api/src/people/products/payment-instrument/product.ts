import type { InstrumentType } from '@causeway/connector/ports/account-data'
import { paymentInstrumentProduct } from '@causeway/contract/products/payment-instrument'
import { jsonColumn } from '../../../platform/db/json-column.js'
import { type DebtRequirements, forConnectedDebt, forDebt } from '../../holders/account-rules.js'
import { type AccountProduct, declaredAs } from '../../holders/product.js'
import { readNumber } from '../../holders/show-account.js'
import { changeFeed, fetchChange } from '../change-feeds.js'
import { networkCall } from '../network-call.js'
import { storeReissuedCard } from '../reissue.js'

export const instrumentData = jsonColumn<{ chargeable?: boolean; block?: Record<string, unknown> }>('records.data')

/** The fields of each type's block. */
const fields: Readonly<Record<InstrumentType, readonly string[]>> = {
  card: ['number', 'exp_month', 'exp_year', 'billing_zip_code'],
  network_token: ['token'],
  inbound_achwire_payment: ['account_number', 'routing_number'],
}
const instrumentTypes = Object.keys(fields) as InstrumentType[]

/**
 * Defines an instrument that moves money to or from an account. The three products share one path; routes.ts in this
 * folder defines their routes.
 */
function instrument(type: InstrumentType): AccountProduct {
  const name = `${paymentInstrumentProduct.name}.${type}`
  // Card numbers are shown only if the card's network confirmed the holder. An account number for deposits reveals
  // nothing about the holder.
  const isIncoming = type === 'inbound_achwire_payment'
  const needs: DebtRequirements = {
    supports: name,
    ...(isIncoming ? {} : { /* mutant: card-needs-network (remove) */ proven: 'network' }),
  }
  return {
    ...declaredAs(paymentInstrumentProduct),
    name,
    initialStatus: 'in_progress',
    waits: true,
    sealed: true,
    creatable: true,
    unreachable: 24001,
    subscriptions: isIncoming
      ? []
      : [
          {
            name,
            availability: (team, account) => forConnectedDebt(team, account, needs),
            feed: changeFeed('card', async (scope, account, change, position) => {
              const product = paymentInstruments.find(each => each.name === name)!
              return storeReissuedCard(change, await fetchChange(scope, product, account, change, position))
            }),
          },
        ],
    availability: (team, account) => forDebt(team, account, needs),
    async fetchData(scope, account, record) {
      const answer = await scope.deps.ports.network.instrument({ ...networkCall(scope, account, record), type })
      if (answer.status === 'failed') return answer
      if (type !== 'card') return { status: 'completed', data: { chargeable: answer.chargeable, block: answer.data } }
      // The network may not know a number that the holder supplied. A card without a number can't be charged.
      const number = answer.data['number'] ?? readNumber(scope, account)
      const chargeable = answer.chargeable && number !== null
      return { status: 'completed', data: { chargeable, block: { ...answer.data, number } } }
    },
    show({ data }) {
      const block = data?.['block'] as Record<string, unknown> | undefined
      const filledBlock = block && Object.fromEntries(fields[type].map(key => [key, block[key] ?? null]))
      return {
        type,
        ...Object.fromEntries(instrumentTypes.map(each => [each, each === type ? (filledBlock ?? null) : null])),
        chargeable: data?.['chargeable'] ?? false,
      }
    },
  }
}

export const paymentInstruments: readonly AccountProduct[] = instrumentTypes.map(instrument)

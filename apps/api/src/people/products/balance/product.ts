import { balanceProduct } from '@causeway/contract/products/balance'
import { createPortCall } from '../../../network/ports.js'
import { jsonColumn } from '../../../platform/db/json-column.js'
import { type AccountProduct, declaredAs } from '../../holders/product.js'
import { forSupportedDebt } from '../../holders/product-rules.js'
import { amountChangeEvents } from '../amount-change.js'

export const balanceData = jsonColumn<{ amount: number }>('records.data')

export const balance: AccountProduct = {
  ...declaredAs(balanceProduct),
  initialStatus: 'pending',
  waits: false,
  creatable: true,
  unreachable: 20001,
  subscriptions: [],
  availability: (team, account) => forSupportedDebt(team, account, 'balance'),
  async fetchData(scope, account, record) {
    const answer = await scope.deps.ports.network.balance({
      ...createPortCall(scope, record.id),
      account: account.reference ?? '',
    })
    return answer.status === 'completed' ? { status: 'completed', data: { amount: answer.amount } } : answer
  },
  extraEvents: (data, before) => amountChangeEvents('balance', data['amount'], before?.['amount']),
  show: ({ data }) => ({ amount: data?.['amount'] ?? null }),
}

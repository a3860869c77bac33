import { balanceProduct } from '@causeway/contract/products/balance'
import { callAbout } from '../../../network/ports.js'
import { jsonColumn } from '../../../platform/db/json-column.js'
import { moved } from '../amount-change.js'
import { type AccountProduct, declaredAs } from '../product.js'
import { supported } from '../rules.js'

export const balanceData = jsonColumn<{ amount: number }>('records.data')

export const balance: AccountProduct = {
  ...declaredAs(balanceProduct),
  first: 'pending',
  waits: false,
  creatable: true,
  unreachable: 20001,
  subscriptions: [],
  availability: (team, account) => supported(team, account, 'balance'),
  async ask(scope, account, record) {
    const found = await scope.deps.ports.network.balance({
      ...callAbout(scope, record.id),
      account: account.reference ?? '',
    })
    return found.status === 'completed' ? { status: 'completed', data: { amount: found.amount } } : found
  },
  tells: (data, before) => moved('balance', data['amount'], before?.['amount']),
  show: ({ data }) => ({ amount: data?.['amount'] ?? null }),
}

import { payoffProduct } from '@causeway/contract/products/payoff'
import { forDebt } from '../../holders/account-rules.js'
import { type AccountProduct, declaredAs } from '../../holders/product.js'
import { networkCall } from '../network-call.js'

/** The amount that would pay off a loan. */
export const payoff: AccountProduct = {
  ...declaredAs(payoffProduct),
  initialStatus: 'pending',
  waits: false,
  creatable: true,
  unreachable: 18001,
  subscriptions: [],
  availability: (team, account) => forDebt(team, account, { supports: 'payoff' }),
  async fetchData(scope, account, record) {
    const answer = await scope.deps.ports.network.payoff(networkCall(scope, account, record))
    if (answer.status === 'failed') return answer
    const { amount, term, per_diem_amount } = answer
    return { status: 'completed', data: { amount, term, per_diem_amount } }
  },
  show: ({ data }) => ({
    amount: data?.['amount'] ?? null,
    per_diem_amount: data?.['per_diem_amount'] ?? null,
    term: data?.['term'] ?? null,
  }),
}

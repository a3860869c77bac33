import { payoffProduct } from '@causeway/contract/products/payoff'
import { forDebt } from '../account-rules.js'
import { about } from '../network-call.js'
import { type AccountProduct, declaredAs } from '../product.js'

/** The amount that would pay off a loan. */
export const payoff: AccountProduct = {
  ...declaredAs(payoffProduct),
  first: 'pending',
  waits: false,
  creatable: true,
  unreachable: 18001,
  subscriptions: [],
  availability: (team, account) => forDebt(team, account, { supports: 'payoff' }),
  async ask(scope, account, record) {
    const found = await scope.deps.ports.network.payoff(about(scope, account, record))
    if (found.status === 'failed') return found
    const { amount, term, per_diem_amount } = found
    return { status: 'completed', data: { amount, term, per_diem_amount } }
  },
  show: ({ data }) => ({
    amount: data?.['amount'] ?? null,
    per_diem_amount: data?.['per_diem_amount'] ?? null,
    term: data?.['term'] ?? null,
  }),
}

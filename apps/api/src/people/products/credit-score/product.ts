import { creditScoreProduct, type Score } from '@causeway/contract/products/credit-score'
import { callAbout } from '../../../network/ports.js'
import { declaredAs, type EntityProduct } from '../product.js'
import { forVerified } from '../rules.js'
import { monthly } from '../watch.js'

/** Returns the score whose changes are reported. The provider always lists this score first. */
const leading = (data: Record<string, unknown> | null) => (data?.['scores'] as Score[] | undefined)?.[0]?.score

export const creditScore: EntityProduct = {
  ...declaredAs(creditScoreProduct),
  first: 'pending',
  waits: false,
  creatable: true,
  unreachable: 23001,
  subscriptions: [{ name: 'credit_score', watch: monthly(() => creditScore) }],
  availability: (team, entity) => forVerified(team, entity, 'credit_score'),
  async ask(scope, entity, record) {
    const found = await scope.deps.ports.network.creditScore({
      ...callAbout(scope, record.id),
      person: entity.person ?? '',
      monthly: record.subscription_id !== null,
    })
    return found.status === 'completed' ? { status: 'completed', data: { scores: found.scores } } : found
  },
  show: ({ data }) => ({ scores: data?.['scores'] ?? null }),
  tells(data, before, subscribed) {
    const [now, then] = [leading(data), leading(before)]
    const moved = now === undefined || then === undefined || now === then ? [] : [now > then]
    return [
      ...(subscribed ? (['credit_score.available'] as const) : []),
      ...moved.map(up => (up ? ('credit_score.increased' as const) : ('credit_score.decreased' as const))),
    ]
  },
}

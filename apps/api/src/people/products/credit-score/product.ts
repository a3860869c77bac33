import { creditScoreProduct, type Score } from '@causeway/contract/products/credit-score'
import { createPortCall } from '../../../network/ports.js'
import { declaredAs, type EntityProduct } from '../../holders/product.js'
import { forVerified } from '../../holders/product-rules.js'
import { monthlyFeed } from '../change-feeds.js'

/** Returns the score whose changes are reported. The provider always lists this score first. */
const leadingScore = (data: Record<string, unknown> | null) => (data?.['scores'] as Score[] | undefined)?.[0]?.score

export const creditScore: EntityProduct = {
  ...declaredAs(creditScoreProduct),
  initialStatus: 'pending',
  waits: false,
  creatable: true,
  unreachable: 23001,
  subscriptions: [{ name: 'credit_score', feed: monthlyFeed(() => creditScore) }],
  availability: (team, entity) => forVerified(team, entity, 'credit_score'),
  async fetchData(scope, entity, record) {
    const answer = await scope.deps.ports.network.creditScore({
      ...createPortCall(scope, record.id),
      person: entity.person ?? '',
      monthly: record.subscription_id !== null,
    })
    return answer.status === 'completed' ? { status: 'completed', data: { scores: answer.scores } } : answer
  },
  show: ({ data }) => ({ scores: data?.['scores'] ?? null }),
  extraEvents(data, before, subscribed) {
    const [now, previous] = [leadingScore(data), leadingScore(before)]
    const changes = now === undefined || previous === undefined || now === previous ? [] : [now > previous]
    return [
      ...(subscribed ? (['credit_score.available'] as const) : []),
      ...changes.map(up => (up ? ('credit_score.increased' as const) : ('credit_score.decreased' as const))),
    ]
  },
}

import { identityProduct } from '@causeway/contract/products/identity'
import { createPortCall } from '../../../network/ports.js'
import { declaredAs, type EntityProduct } from '../../holders/product.js'
import { forIndividual } from '../../holders/product-rules.js'
import { readDetails } from '../../holders/show-entity.js'

/** The identities that may belong to an entity. Available even for an unverified person. */
export const identity: EntityProduct = {
  ...declaredAs(identityProduct),
  initialStatus: 'pending',
  waits: true,
  creatable: true,
  sealed: true,
  unreachable: 24001,
  subscriptions: [],
  availability(team, entity) {
    const general = forIndividual(team, entity, 'identity')
    if (general.status !== 'available' || entity.nameable === 1) return general
    return { status: 'restricted', subType: 'ENTITY_VERIFICATION_MISSING' }
  },
  async fetchData(scope, entity, record) {
    const answer = await scope.deps.ports.network.identities({
      ...createPortCall(scope, record.id),
      person: entity.person,
      details: readDetails(scope, entity),
    })
    return answer.status === 'completed' ? { status: 'completed', data: { identities: answer.identities } } : answer
  },
  show: ({ data }) => ({ identities: data?.['identities'] ?? null }),
}

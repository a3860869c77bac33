import { vehicleProduct } from '@causeway/contract/products/vehicle'
import { createPortCall } from '../../../network/ports.js'
import { declaredAs, type EntityProduct } from '../../holders/product.js'
import { forVerified } from '../../holders/product-rules.js'

export const vehicle: EntityProduct = {
  ...declaredAs(vehicleProduct),
  initialStatus: 'pending',
  waits: true,
  creatable: true,
  // A VIN identifies the owner almost as well as a name does.
  // mutant: vehicle-numbers-are-sealed (remove)
  sealed: true,
  unreachable: 24001,
  subscriptions: [],
  availability: (team, entity) => forVerified(team, entity, 'vehicle'),
  async fetchData(scope, entity, record) {
    const answer = await scope.deps.ports.network.vehicles({
      ...createPortCall(scope, record.id),
      person: entity.person ?? '',
    })
    return answer.status === 'completed' ? { status: 'completed', data: { vehicles: answer.vehicles } } : answer
  },
  show: ({ data }) => ({ vehicles: data?.['vehicles'] ?? null }),
}

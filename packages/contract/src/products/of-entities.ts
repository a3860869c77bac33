/** The entity products, in the order in which the API reference lists them. To add a product, add its file and a line here. */
import { connectProduct } from './connect.js'
import { creditScoreProduct } from './credit-score.js'
import { entityAttributeProduct } from './entity-attribute.js'
import { identityProduct } from './identity.js'
import { manualConnectProduct } from './manual-connect.js'
import { type Declaration, merged } from './product.js'
import { vehicleProduct } from './vehicle.js'

export const entityProducts = [
  connectProduct,
  creditScoreProduct,
  identityProduct,
  entityAttributeProduct,
  vehicleProduct,
  manualConnectProduct,
] as const

const all: readonly Declaration[] = entityProducts

/** Entity fields that hold the id of a product's latest record. */
export const entityPointers = merged(entityProducts, 'pointers')

/** Fields that an entity includes only if `expand[]` names them. */
export const entityExpanded = merged(entityProducts, 'expanded')

/** Entity fields whose ids `expand[]` replaces with a record. */
export const entityFields: readonly string[] = all.flatMap(({ pointers, expanded }) =>
  Object.keys({ ...pointers, ...expanded }),
)

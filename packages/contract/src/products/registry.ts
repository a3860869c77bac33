import { accountProducts } from './of-accounts.js'
import { entityProducts } from './of-entities.js'
import type { Declaration } from './product.js'

/** Every product that creates records. */
export const allProducts: readonly Declaration[] = [...entityProducts, ...accountProducts]

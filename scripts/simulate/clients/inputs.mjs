/** The sandbox's account numbers and people. */
import { product } from '../product.mjs'

export const { achNumbers, people } = product

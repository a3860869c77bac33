import { balance } from './balance.js'
import { connect } from './connect.js'
import type { Product } from './product.js'
import { update } from './update.js'

/** Every product. A new one is a definition and a line here. */
export const products: readonly Product[] = [connect, balance, update]

export function productOf(name: string): Product | undefined {
  return products.find(product => product.name === name)
}

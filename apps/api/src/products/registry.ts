import { balance } from './balance.js'
import { connect } from './connect.js'
import { payment } from './payment.js'
import { planned } from './planned.js'
import type { AnyOffer, Product } from './product.js'
import { update } from './update.js'

/** Everything that a holder can have, in the order of its lists. A new product is a definition and a line here. */
export const offers: readonly AnyOffer[] = [connect, balance, update, payment, ...planned]

/** Those that leave records. */
export const products: readonly Product[] = offers.filter((offer): offer is Product => 'path' in offer)

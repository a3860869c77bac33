import { accountAttribute } from './account-attribute.js'
import { balance } from './balance.js'
import { cardBrand } from './card-brand.js'
import { connect } from './connect.js'
import { payment } from './payment.js'
import { paymentInstruments } from './payment-instrument.js'
import { payoff } from './payoff.js'
import { planned } from './planned.js'
import type { AnyOffer, Product } from './product.js'
import { sensitive } from './sensitive.js'
import { transaction } from './transaction.js'
import { update } from './update.js'

/** Everything that a holder can have, in the order of its lists. A new product is a definition and a line here. */
export const offers: readonly AnyOffer[] = [
  connect,
  balance,
  update,
  cardBrand,
  payoff,
  payment,
  ...paymentInstruments,
  accountAttribute,
  sensitive,
  transaction,
  ...planned,
]

/** Those that leave records and have routes of their own. */
export const products: readonly Product[] = offers.filter(
  (offer): offer is Product => 'path' in offer && !paymentInstruments.some(each => each === offer),
)

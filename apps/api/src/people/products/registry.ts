import { accountAttribute } from './account-attribute/product.js'
import { balance } from './balance/product.js'
import { cardBrand } from './card-brand/product.js'
import { connect } from './connect/product.js'
import { creditScore } from './credit-score/product.js'
import { entityAttribute } from './entity-attribute/product.js'
import { identity } from './identity/product.js'
import { manualConnect } from './manual-connect/product.js'
import { payment } from './payment/product.js'
import { paymentInstruments } from './payment-instrument/product.js'
import { payoff } from './payoff/product.js'
import type { AnyOffer, Product } from './product.js'
import { sensitive } from './sensitive/product.js'
import { transaction } from './transaction/product.js'
import { update } from './update/product.js'
import { vehicle } from './vehicle/product.js'

/** Everything that a holder can have, in the order of its lists. A new product is a definition and a line here. */
export const offers: readonly AnyOffer[] = [
  connect,
  creditScore,
  identity,
  entityAttribute,
  vehicle,
  manualConnect,
  balance,
  update,
  cardBrand,
  payoff,
  payment,
  ...paymentInstruments,
  accountAttribute,
  sensitive,
  transaction,
]

/** Those that leave records and have routes of their own. */
export const products: readonly Product[] = offers.filter(
  (offer): offer is Product => 'path' in offer && !paymentInstruments.some(each => each === offer),
)

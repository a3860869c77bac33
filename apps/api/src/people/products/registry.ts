import type { AnyOffer, Product } from '../holders/product.js'
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
import { sensitive } from './sensitive/product.js'
import { transaction } from './transaction/product.js'
import { update } from './update/product.js'
import { vehicle } from './vehicle/product.js'

/**
 * All products and subscriptions that a holder can be offered, in list order. To add a product, write its definition
 * and list it here.
 */
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

/** The offers that create records and use the standard routes. */
export const products: readonly Product[] = offers.filter(
  (offer): offer is Product => 'path' in offer && !paymentInstruments.some(each => each === offer),
)

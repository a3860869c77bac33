import { accountAttribute } from './account-attribute.js'
import { balance } from './balance.js'
import { cardBrand } from './card-brand.js'
import { connect } from './connect.js'
import { creditScore } from './credit-score.js'
import { entityAttribute } from './entity-attribute.js'
import { identity } from './identity.js'
import { manualConnect } from './manual-connect.js'
import { payment } from './payment.js'
import { paymentInstruments } from './payment-instrument.js'
import { payoff } from './payoff.js'
import type { AnyOffer, Product } from './product.js'
import { sensitive } from './sensitive.js'
import { transaction } from './transaction.js'
import { update } from './update.js'
import { vehicle } from './vehicle.js'

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

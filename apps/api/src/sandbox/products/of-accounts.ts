/** The sandbox's implementations of all account products. To add a product, create its file and list it here. */
import { accountAttribute } from './account-attribute.js'
import type { SandboxProduct } from './answer.js'
import { balance } from './balance.js'
import { cardBrand } from './card-brand.js'
import { paymentInstrument } from './payment-instrument.js'
import { payoff } from './payoff.js'
import { sensitive } from './sensitive.js'
import { transaction } from './transaction.js'
import { update } from './update.js'

export const accountAnswers = [
  balance,
  update,
  payoff,
  cardBrand,
  sensitive,
  accountAttribute,
  paymentInstrument,
  transaction,
] as const

export const accountProducts: readonly SandboxProduct[] = accountAnswers

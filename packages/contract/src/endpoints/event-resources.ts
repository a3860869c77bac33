import { accountProducts } from '../products/of-accounts.js'
import { entityProducts } from '../products/of-entities.js'
import { type Declaration, nounOf } from '../products/product.js'

const resourcesOf = (products: readonly Declaration[]) =>
  Object.fromEntries(products.map(each => [nounOf(each), each.resource[0]]))

/** The OpenAPI name of the resource that an event describes, by the first segment of the event type. */
export const eventResources: Readonly<Record<string, string>> = {
  entity: 'Entity',
  entity_verification_session: 'EntityVerificationSession',
  ...resourcesOf(entityProducts),
  account: 'Account',
  account_verification_session: 'AccountVerificationSession',
  ...resourcesOf(accountProducts),
  product: 'Product',
  subscription: 'Subscription',
  payment: 'Payment',
  payment_reversal: 'PaymentReversal',
  report: 'Report',
  opal_session: 'OpalSession',
  element_session: 'OpalSession',
  service_jwk: 'ServiceKey',
  webhook: 'Webhook',
}

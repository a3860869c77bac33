/** Names shared by several resources. Each list is defined once, in this file. */
import { z } from 'zod'

/** The end of the description of every field that can gain values within a version. */
export const mayGainValues = 'We may add values. Ignore the ones that you do not recognize'

/** The products enabled for a new team. */
export const defaultProducts = [
  'balance',
  'update',
  'payment',
  'card_brand',
  'payoff',
  'connect',
  'credit_score',
  'identity',
  'attribute',
  'vehicle',
  'sensitive',
  'transaction',
  'payment_instrument.card',
  'payment_instrument.network_token',
  'payment_instrument.inbound_achwire_payment',
] as const

/** The single name for all payment instruments in versions up to 2025-07-04 and in the settings of older teams. */
export const ALL_INSTRUMENTS = 'payment_instrument'

/** All products that a team can have. The last product is for teams that provide their own credit reports. */
export const teamProducts = [...defaultProducts, 'manual_connect'] as const

/**
 * Products that a token can ask the person to share. Every session that finds accounts also asks for `connect`, the list
 * of accounts. Credit reports for `manual_connect` come from the customer.
 */
export const consentProducts = defaultProducts.filter(
  (name): name is Exclude<(typeof defaultProducts)[number], 'connect'> => name !== 'connect',
)

export type ConsentProduct = (typeof consentProducts)[number]

/** The consent products that belong to an account. Both people and accounts have attributes. */
export const accountConsentProducts = consentProducts.filter(
  name => name !== 'credit_score' && name !== 'identity' && name !== 'vehicle',
)

/**
 * Products that a holder can subscribe to. During a subscription, the service creates the product's records
 * automatically. `update.snapshot` is `update` with data from another source.
 */
export const subscriptionNames = [
  'connect',
  'credit_score',
  'attribute',
  'update',
  'update.snapshot',
  'card_brand',
  'transaction',
  'payment_instrument.card',
  'payment_instrument.network_token',
] as const

const olderName = `\`${ALL_INSTRUMENTS}\` is returned only in versions up to 2025-07-04`

/** A product's name in a response of any version. */
export const productName = z.enum([...teamProducts, ALL_INSTRUMENTS]).describe(`${olderName}. ${mayGainValues}`)
/** A subscription's name in a response of any version. */
export const subscriptionName = z
  .enum([...subscriptionNames, ALL_INSTRUMENTS])
  .describe(`${olderName}. ${mayGainValues}`)

/** The kinds of things that the service offers only if its providers can serve them. */
export const capabilityKinds = [
  'entity_product',
  'account_product',
  'entity_subscription',
  'account_subscription',
  'entity_method',
  'account_method',
  'mode',
  'payment',
  'account',
  'file',
  'simulation',
] as const

/** Phone and identity verification methods that a team can enable. */
export const identityMethods = ['element', 'opal', 'kba', 'sna', 'sms', 'byo_sms', 'byo_kyc'] as const
/** Methods available through the API. The other methods exist only in the flow. */
export const sessionMethods = ['sms', 'sna', 'byo_sms', 'kba', 'byo_kyc'] as const

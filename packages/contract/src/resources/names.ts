/** Names that several resources use. Each list is defined here once. */
import { z } from 'zod'

/** Ends the description of a field whose values can grow within a version. */
export const growing = 'We may add values. Ignore the ones that you do not recognize'

/** The products of a new team. */
export const usualProducts = [
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

/** The name for all instruments up to version 2025-07-04, and for teams that were stored under it. */
export const ALL_INSTRUMENTS = 'payment_instrument'

/** All products that a team can have. The last one is for teams that hold credit reports themselves. */
export const teamProducts = [...usualProducts, 'manual_connect'] as const

/** Products that can create records without a request for each. `update.snapshot` is `update` from another source. */
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

/** The name of a product in a response, at any version. */
export const productName = z.enum([...teamProducts, ALL_INSTRUMENTS]).describe(`${olderName}. ${growing}`)
/** The name of a subscription in a response, at any version. */
export const subscriptionName = z.enum([...subscriptionNames, ALL_INSTRUMENTS]).describe(`${olderName}. ${growing}`)

/** Methods of verifying a phone or an identity that a team can enable. */
export const identityMethods = ['element', 'opal', 'kba', 'sna', 'sms', 'byo_sms', 'byo_kyc'] as const
/** Methods that the API itself offers. The others exist only in the flow. */
export const sessionMethods = ['sms', 'sna', 'byo_sms', 'kba', 'byo_kyc'] as const

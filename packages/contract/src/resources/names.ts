/** Names that several resources hold: each list is here once. */
import { z } from 'zod'

/** Ends the description of a field whose values can grow within a version. */
export const growing = 'More values may be added: ignore those that you do not recognize'

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

/** The name of all instruments up to version 2025-07-04, and of those of a team that was stored under it. */
export const ALL_INSTRUMENTS = 'payment_instrument'

/** All that a team can be given: the last is for those that hold credit reports themselves. */
export const teamProducts = [...usualProducts, 'manual_connect'] as const

/** Products that records come of without a request for each; `update.snapshot` is `update` by another source. */
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

const olderName = `\`${ALL_INSTRUMENTS}\` only up to 2025-07-04`

/** The name of a product in an answer, at any version. */
export const productName = z.enum([...teamProducts, ALL_INSTRUMENTS]).describe(`${olderName}. ${growing}`)
/** The name of a subscription in an answer, at any version. */
export const subscriptionName = z.enum([...subscriptionNames, ALL_INSTRUMENTS]).describe(`${olderName}. ${growing}`)

/** Ways to prove a phone or an identity, as a team switches them on. */
export const identityMethods = ['element', 'opal', 'kba', 'sna', 'sms', 'byo_sms', 'byo_kyc'] as const
/** Those that the API itself offers; the other ones are the flow's. */
export const sessionMethods = ['sms', 'sna', 'byo_sms', 'kba', 'byo_kyc'] as const

/** The fields of an account that `expand[]` replaces by their objects. */
export const accountFields = [
  'latest_verification_session',
  'update',
  'balance',
  'card_brand',
  'payoff',
  'payment_instrument',
  'attribute',
  'sensitive',
  'transactions',
  'transaction',
  'liability.mch_id',
] as const

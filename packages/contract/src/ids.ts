/** The prefix of every id that leaves the service. An id is its prefix and 13 base-62 characters that sort by time of creation. */
export const prefixes = {
  team: 'team_',
  key: 'key_',
  entity: 'ent_',
  account: 'acc_',
  payment: 'pmt_',
  reversal: 'rvs_',
  secret: 'sec_',
  webhook: 'whk_',
  event: 'evt_',
  connect: 'cxn_',
  credit_score: 'crs_',
  update: 'upt_',
  balance: 'bal_',
  card_brand: 'crd_',
  payment_instrument: 'pmt_inst_',
  payoff: 'pyf_',
  entity_verification_session: 'evf_',
  account_verification_session: 'avf_',
  opal_session: 'osess_',
  merchant: 'mch_',
  element_token: 'pk_elem_',
  opal_token: 'otkn_',
} as const

export type Prefix = keyof typeof prefixes

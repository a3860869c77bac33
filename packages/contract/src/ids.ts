import { accountProducts } from './products/of-accounts.js'
import { entityProducts } from './products/of-entities.js'
import { merged } from './products/product.js'

/**
 * The prefix of each kind of public id. Each prefix is followed by 13 base-62 characters that sort by creation time.
 */
export const prefixes = {
  ...merged(entityProducts, 'prefixes'),
  ...merged(accountProducts, 'prefixes'),
  team: 'team_',
  key: 'key_',
  entity: 'ent_',
  account: 'acc_',
  payment: 'pmt_',
  reversal: 'rvs_',
  secret: 'sec_',
  webhook: 'whk_',
  report: 'rpt_',
  report_schedule: 'rpt_sch_',
  forwarding_request: 'freq_',
  delivery: 'dlv_',
  event: 'evt_',
  request: 'req_',
  product: 'prd_',
  subscription: 'sub_',
  behaviour: 'bhv_',
  entity_verification_session: 'evf_',
  account_verification_session: 'avf_',
  opal_session: 'osess_',
  merchant: 'mch_',
  payee: 'pye_',
  reconciliation: 'rec_',
  reconciliation_exception: 'rex_',
  preauth: 'preauth_',
  file: 'file_',
  intent: 'int_evt_',
  team_jwk: 'team_jwk_',
  service_jwk: 'svc_jwk_',
  managed_account: 'macc_',
  managed_account_transaction: 'macc_txn_',
  element_token: 'pk_elem_',
  opal_token: 'otkn_',
} as const

export type Prefix = keyof typeof prefixes

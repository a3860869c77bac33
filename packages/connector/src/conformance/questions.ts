/**
 * Default questions, one for each method. Any connector can answer them, because they are about people, accounts and
 * payments that do not exist.
 */
const address = { line1: null, line2: null, city: null, state: null, zip: null }
const details = { first_name: null, last_name: null, phone: null, dob: null, ssn: null, ssn_4: null, address }
const account = 'no-such-account'
const person = 'no-such-person'
const ach = { id: 'acc_0', type: 'ach', routing: '000000000', number: '0000', reference: null, mch_id: null }
const debt = { id: 'acc_1', type: 'liability', routing: null, number: null, reference: account, mch_id: null }
const payment = {
  payment_id: 'pmt_0',
  amount: 100,
  fee: 0,
  source: ach,
  destination: debt,
  created_at: 0,
  source_date: '1970-01-02',
  destination_date: '1970-01-05',
}

const reversal = {
  reversal_id: 'rvs_0',
  payment_id: 'pmt_0',
  amount: 100,
  direction: 'credit',
  target: ach,
  approved_at: 0,
  date: '1970-01-02',
}

export const defaultQuestions: Readonly<Record<string, Record<string, unknown>>> = {
  'network/discover': { person },
  'network/balance': { account },
  'network/update': { account, source: 'snapshot' },
  'network/verify_number': { account, number: '0000000000' },
  'network/describe': { mch_id: 'no-such-merchant', number: '0000000000' },
  'network/payoff': { account },
  'network/card_brand': { account },
  'network/sensitive': { account },
  'network/attributes': { account, names: [] },
  'network/instrument': { account, type: 'card' },
  'network/vouch': { routing: '000000000', number: '0000' },
  'network/deposit': { routing: '000000000', number: '0000', amounts: [21, 42] },
  'network/deposit_status': {},
  'network/check_card': {
    account,
    by: 'instant',
    number: '0000000000',
    exp_month: '01',
    exp_year: '1970',
    cvv: null,
    billing_zip_code: null,
  },
  'network/credit_score': { person, monthly: false },
  'network/identities': { person: null, details },
  'network/entity_attributes': { person, names: [], soft_inquiries: 0 },
  'network/vehicles': { person },
  'network/read_tradelines': { bureau: 'equifax', tradelines: [] },
  'network/changes': { kind: 'update', of: account, from: 0, since: null, until: 86_400_000, limit: 10 },
  'network/opened': { person, behaviours: [] },
  'network/credit_report': { person, bureau: 'equifax', artifact: 'raw_credit_report', offset: 0 },
  'network/preauth': { account, card: null, purchase: null },
  'network/link': { person, name: null, return_url: 'https://app.example.com/return' },
  'network/linked': { person },
  'network/unlink': { person, institution: 'no-such-institution' },
  'network/tables': {},
  'identity/send_code': { phone: '+10000000000' },
  'identity/check_code': { phone: '+10000000000', code: '000000' },
  'identity/begin_sna': { phone: '+10000000000' },
  'identity/check_sna': { phone: '+10000000000' },
  'identity/match': { details },
  'identity/questions': { person, round: 0 },
  'identity/answer': { person, round: 0, answers: [] },
  'rail/accepts': { amount: 100, source: ach, destination: debt },
  'rail/submit': payment,
  'rail/cancel': payment,
  'rail/status': payment,
  'rail/reverse': reversal,
  'rail/reversal': reversal,
  'rail/managed_accounts': {},
  'rail/managed_transactions': { account: 'macc_0', from: null, to: null, start: null, limit: 10 },
}

/** Requests in the forms that public documents and client libraries of services with this API show. Values are made up. */
interface Documented {
  method: 'POST' | 'PUT' | 'PATCH'
  path: string
  body: object
  /** Default: the latest. */
  version?: string
}

const entity = '/entities/ent_1aBcDeFgHiJkL'
const account = '/accounts/acc_1aBcDeFgHiJkL'
const address = { line1: '1 Main Street', line2: null, city: 'Austin', state: 'TX', zip: '78701' }
const individual = {
  first_name: 'Ana',
  last_name: 'Rivera',
  phone: '+15125550100',
  email: 'ana@example.com',
  dob: '1990-04-01',
}
const owner = { ...individual, address }
const post = (path: string, body: object, version?: string): Documented => ({
  method: 'POST',
  path,
  body,
  ...(version && { version }),
})
const put = (path: string, body: object): Documented => ({ method: 'PUT', path, body })
const patch = (path: string, body: object): Documented => ({ method: 'PATCH', path, body })
const withdraw = { type: 'withdraw', reason: 'entity_withdrew_consent' }

const entities = [
  post('/entities', { type: 'individual', individual, address }),
  post('/entities', { type: 'individual', individual: {}, address: {}, metadata: {} }),
  post('/entities', { type: 'individual', individual, address }, '2024-04-04'),
  post('/entities', {
    type: 'corporation',
    corporation: { name: 'Lender', dba: 'Lend', ein: '641234567', owners: [owner] },
    address,
  }),
  put(entity, { individual: { first_name: 'Ana', last_name: 'Rivera', email: 'ana@example.com', dob: '1990-04-01' } }),
  put(entity, { individual: { ssn: '123456789', ssn_4: '6789' } }),
  post(`${entity}/consent`, withdraw),
  post(`${entity}/verification_sessions`, { type: 'phone', method: 'sms', sms: {} }),
  post(`${entity}/verification_sessions`, { type: 'phone', method: 'sna', sna: {} }),
  post(`${entity}/verification_sessions`, {
    type: 'phone',
    method: 'byo_sms',
    byo_sms: { timestamp: '2026-01-02T14:35:15.816Z' },
  }),
  post(`${entity}/verification_sessions`, { type: 'identity', method: 'kba', kba: {} }),
  post(`${entity}/verification_sessions`, { type: 'identity', method: 'byo_kyc', byo_kyc: {} }),
  put(`${entity}/verification_sessions/evf_1`, { type: 'phone', method: 'sms', sms: { sms_code: '123456' } }),
  put(`${entity}/verification_sessions/evf_1`, { type: 'phone', method: 'sna', sna: {} }),
  put(`${entity}/verification_sessions/evf_1`, {
    ...{ type: 'identity', method: 'kba' },
    kba: { answers: [{ question_id: 'qtn_1', answer_id: 'ans_1' }] },
  }),
  post(`${entity}/connect`, {}),
  post(`${entity}/connect`, { products: ['balance'], subscriptions: ['update'] }),
  post(`${entity}/credit_scores`, {}),
  post(`${entity}/identities`, {}),
  post(`${entity}/vehicles`, {}),
  post(`${entity}/attributes`, { attributes: ['credit_health_credit_card_usage'] }, '2025-07-04'),
  post(`${entity}/attributes`, {}),
  post(`${entity}/subscriptions`, { enroll: 'connect' }),
  post(`${entity}/subscriptions`, {
    ...{ enroll: 'attribute', payload: { attributes: { requested_attributes: ['credit_health_credit_card_usage'] } } },
  }),
]

const accounts = [
  post('/accounts', { holder_id: 'ent_1', ach: { routing: '062103000', number: '123456789', type: 'checking' } }),
  post('/accounts', { holder_id: 'ent_1', liability: { mch_id: 'mch_2', account_number: '1122334455' } }),
  post(`${account}/consent`, { type: 'withdraw', reason: 'holder_withdrew_consent' }),
  post(`${account}/consent`, { type: 'withdraw', reason: null }),
  ...['balances', 'card_brands', 'payoffs', 'updates'].map(product => post(`${account}/${product}`, {})),
  post(`${account}/sensitive`, {
    expand: ['credit_card.number', 'credit_card.exp_month', 'credit_card.exp_year', 'credit_card.cvv'],
  }),
  post(`${account}/payment_instruments`, { type: 'card' }),
  post(`${account}/payment_instruments`, { type: 'inbound_achwire_payment' }),
  post(`${account}/subscriptions`, { enroll: 'update' }),
  post(`${account}/subscriptions`, { enroll: 'transactions' }, '2024-04-04'),
  ...['micro_deposits', 'plaid', 'mx', 'teller', 'standard', 'instant', 'pre_auth', 'network'].map(type =>
    post(`${account}/verification_sessions`, { type }),
  ),
  put(`${account}/verification_sessions/avf_1`, { micro_deposits: { amounts: [10, 34] } }),
  put(`${account}/verification_sessions/avf_1`, { standard: { number: '4111111111111111' } }),
  put(`${account}/verification_sessions/avf_1`, { pre_auth: { cvv: '031' } }),
  put(`${account}/verification_sessions/avf_1`, {
    plaid: {
      balances: { available: 100, current: 110, iso_currency_code: 'USD', limit: null, unofficial_currency_code: null },
      transactions: [],
    },
  }),
  put(`${account}/verification_sessions/avf_1`, {
    teller: { balances: { account_id: 'acc_x', available: '930.13', ledger: '930.13', links: {} }, transactions: [] },
  }),
  put(`${account}/verification_sessions/avf_1`, {
    mx: { account: { institution_code: 'bank', apr: null, balance: 1000.23 }, transactions: [] },
  }),
]

const platform = [
  post('/payments', { amount: 5000, source: 'acc_1', destination: 'acc_2', description: 'Loan Pmt' }),
  put('/payments/pmt_1/reversals/rvs_1', { status: 'pending' }),
  post('/webhooks', {
    type: 'payment.update',
    url: 'https://api.example.com/hook',
    auth_token: 'token',
    hmac_secret: 'webhook-signing-secret',
  }),
  post('/webhooks', { type: 'method_jwk.create', url: 'https://api.example.com/hook' }),
  patch('/webhooks/whk_1', { status: 'disabled' }),
  post('/reports', { type: 'payments.created.current' }),
  post('/elements/token', { type: 'connect', entity_id: 'ent_1', connect: { products: ['balance'] } }),
  post('/elements/token', {
    type: 'connect',
    connect: {
      products: ['balance'],
      entity: { type: 'individual', individual: { first_name: 'Ana', last_name: 'Rivera', phone: '+15125550100' } },
      account_filters: { selection_type: 'multiple', liability_types: ['credit_card'] },
    },
  }),
  post('/elements/token', { type: 'connect', connect: { entity_id: 'ent_1' } }),
  post('/opal/token', { mode: 'connect', entity_id: 'ent_1', connect: { selection_type: 'multiple' } }),
  post('/opal/token', {
    mode: 'identity_verification',
    entity_id: 'ent_1',
    identity_verification: { skip_pii: ['ssn_4'] },
  }),
  post('/opal/token', { mode: 'card_connect', entity_id: 'ent_1', card_connect: { selection_type: 'all' } }),
  post('/opal/token', {
    mode: 'account_verification',
    entity_id: 'ent_1',
    account_verification: { account_id: 'acc_1' },
  }),
  post('/teams/mle/public_keys', {
    type: 'direct',
    contact: 'security@example.com',
    jwk: { kty: 'RSA', kid: 'key-1', n: 'AQAB', e: 'AQAB', alg: 'RS256', use: 'enc' },
  }),
  post('/intents', {
    event: 'lending.offer_sent',
    identity: { individual: { first_name: 'Ana', last_name: 'Rivera', phone: '+15125550100', address } },
    context: { external_user_id: 'user-1', session_id: 's-1', source: 'web', client_ip_address: '192.0.2.1' },
  }),
]

const simulations = [
  post('/simulate/payments/pmt_1', { status: 'processing' }),
  post('/simulate/payments/pmt_1', { status: 'failed', error_code: 10001 }),
  post(`/simulate${account}/transactions`, {}),
  post(`/simulate${account}/card_brands`, { brand_id: 'pdt_15_brd_1' }),
  post(`/simulate${entity}/connect`, { behaviors: ['new_credit_card_account'] }),
  post(`/simulate${entity}/attributes`, { behaviors: ['new_soft_inquiry'] }),
  post(`/simulate${entity}/credit_scores/crs_1`, {
    scores: [
      {
        score: 734,
        source: 'equifax',
        model: 'vantage_4',
        factors: [{ code: '00034', description: 'Few accounts' }],
        created_at: '2026-01-02T14:35:15.816Z',
      },
    ],
  }),
  post('/simulate/managed_accounts/macc_1/transactions', { type: 'deposit', amount: 5000 }),
]

export const documentedRequests: readonly Documented[] = [...entities, ...accounts, ...platform, ...simulations]

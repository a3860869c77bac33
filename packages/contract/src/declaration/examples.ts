/**
 * One example of each resource at the latest version, for use in endpoint examples. A test validates the examples
 * against the schemas.
 */
export const times = { created_at: '2026-03-02T15:00:00.000Z', updated_at: '2026-03-02T15:00:00.000Z' }
const tail = { error: null, metadata: null, ...times }
export const record = { status: 'completed', error: null, ...times }

export const entity = {
  id: 'ent_4kYq8ZbT1mXcP',
  type: 'individual',
  individual: {
    first_name: 'Ana',
    last_name: 'Reyes',
    phone: '+12025550123',
    dob: '1988-04-09',
    email: 'ana@example.com',
    ssn: null,
    ssn_4: 'xxxx',
  },
  address: { line1: '1 Elm Street', line2: null, city: 'Austin', state: 'TX', zip: '78705' },
  verification: {
    identity: {
      verified: false,
      matched: true,
      latest_verification_session: null,
      methods: ['element', 'opal', 'kba'],
    },
    phone: { verified: true, latest_verification_session: 'evf_4kYq8ZbT1mXcQ', methods: [] },
  },
  connect: null,
  credit_score: null,
  attribute: null,
  vehicle: null,
  products: [],
  restricted_products: ['connect'],
  subscriptions: [],
  available_subscriptions: [],
  restricted_subscriptions: ['connect'],
  status: 'incomplete',
  ...tail,
}

export const entitySession = {
  id: 'evf_4kYq8ZbT1mXcQ',
  entity_id: entity.id,
  status: 'in_progress',
  type: 'phone',
  method: 'sms',
  sms: {},
  error: null,
  ...times,
}

export const ach = {
  id: 'acc_4kYq8ZbT1mXcR',
  holder_id: 'ent_4kYq8ZbT1mXcA',
  status: 'active',
  consent_status: 'approved',
  type: 'ach',
  ach: { routing: '062103000', number: '123456789', type: 'checking' },
  latest_verification_session: 'avf_4kYq8ZbT1mXcS',
  products: ['payment'],
  restricted_products: [],
  ...tail,
}

export const liability = {
  id: 'acc_4kYq8ZbT1mXcT',
  holder_id: entity.id,
  status: 'active',
  consent_status: 'approved',
  type: 'liability',
  liability: {
    mch_id: 'mch_example',
    mask: '8721',
    ownership: 'primary',
    fingerprint: '5ed36b5d1e8a61bbf7b4c63ddf1b1a9fd81bb5a1',
    type: 'credit_card',
    sub_type: 'unsecured',
    name: 'Harbor Rewards Card',
  },
  latest_verification_session: null,
  update: 'upt_4kYq8ZbT1mXcU',
  balance: 'bal_4kYq8ZbT1mXcV',
  card_brand: null,
  payment_instrument: null,
  payoff: null,
  attribute: null,
  products: ['balance', 'update', 'payment'],
  restricted_products: ['sensitive'],
  subscriptions: [],
  available_subscriptions: ['update', 'update.snapshot'],
  restricted_subscriptions: [],
  ...tail,
}

export const accountSession = {
  id: 'avf_4kYq8ZbT1mXcS',
  account_id: liability.id,
  status: 'pending',
  type: 'standard',
  standard: { number: null },
  error: null,
  ...times,
}

export const payment = {
  id: 'pmt_4kYq8ZbT1mXcX',
  source: ach.id,
  destination: liability.id,
  amount: 5000,
  description: 'Loan',
  status: 'pending',
  estimated_completion_date: '2026-03-04',
  source_trace_id: null,
  source_settlement_date: '2026-03-02',
  source_status: 'pending',
  destination_trace_id: null,
  destination_settlement_date: '2026-03-04',
  destination_status: 'pending',
  destination_payment_method: 'electronic',
  destination_posted_date: null,
  reversal_id: null,
  reversal_account: null,
  payment_instrument: null,
  fee: null,
  type: 'standard',
  error: null,
  returned_as: null,
  idempotency_key: '0f8fad5b-d9cb-469f-a165-70867728950e',
  metadata: null,
  ...times,
}

export const reversal = {
  id: 'rvs_4kYq8ZbT1mXd4',
  pmt_id: payment.id,
  target_account: ach.id,
  trace_id: null,
  direction: 'credit',
  description: 'PmtRvrsl',
  amount: 5000,
  status: 'pending_approval',
  fee: null,
  error: null,
  ...times,
}

export const secret = { id: 'sec_4kYq8ZbT1mXcY', metadata: {}, status: 'active', ...times }

export const forwardingRequest = {
  id: 'freq_4kYq8ZbT1mXf1',
  bindings: { token: secret.id },
  request: {
    url: 'https://vault.example/charges',
    method: 'POST',
    headers: { Authorization: 'Bearer {{token.value}}' },
    body: '{"amount":5000}',
  },
  response: { status_code: 201, headers: { 'content-type': 'application/json' }, body: { id: 'ch_1' } },
  duration_ms: 184,
  status: 'completed',
  status_history: [
    { status: 'processing', timestamp: times.created_at },
    { status: 'completed', timestamp: times.updated_at },
  ],
  metadata: null,
  ...times,
}

export const report = {
  id: 'rpt_4kYq8ZbT1mXf0',
  type: 'payments.created.previous',
  url: 'https://api.example.com/reports/rpt_4kYq8ZbT1mXf0/download',
  status: 'completed',
  metadata: null,
  ...times,
}

export const webhook = {
  id: 'whk_4kYq8ZbT1mXcZ',
  type: 'payment.update',
  url: 'https://lender.example/hooks',
  metadata: null,
  expand_event: false,
  api_version: null,
  store_responses: false,
  weak_secret: false,
  status: 'active',
  error: null,
  ...times,
}

export const event = {
  id: 'evt_4kYq8ZbT1mXe0',
  type: 'payment.update',
  resource_id: payment.id,
  resource_type: 'payment',
  data: { ...payment, status: 'processing' },
  diff: { before: { status: 'pending' }, after: { status: 'processing' } },
  related_ids: [payment.id],
  ...times,
}

export const delivery = {
  id: 'dlv_4kYq8ZbT1mXe1',
  webhook_id: webhook.id,
  event_id: event.id,
  type: 'payment.update',
  resource_id: payment.id,
  status: 'delivered',
  attempts: 1,
  response_status: 200,
  failure: null,
  next_attempt_at: null,
  attempted_at: times.created_at,
  finished_at: times.created_at,
  ...times,
}

export const request = {
  id: 'req_VhL3u7cQ0mXe9Tz4Kb1R',
  method: 'POST',
  route: '/payments',
  status: 400,
  sub_type: 'INVALID_AMOUNT',
  ms: 6,
  version: '2026-03-30',
  actor: 'key_4kYq8ZbT1mXe2',
  source: 'api',
  idempotency: 'stored',
  resource_ids: [ach.id, liability.id],
  created_at: times.created_at,
}

export const opal = {
  id: 'osess_4kYq8ZbT1mXd0',
  mode: 'balance_transfer',
  entity_id: entity.id,
  step: 'done',
  bt: {
    loan_amount: 500000,
    minimum_payment: 100,
    maximum_payment: 500000,
    residual_amount_max: 500000,
    allocations: { [liability.id]: 128760 },
    payout_status: 'pending_release',
    payment_ids: {},
    released_at: null,
    completed: true,
  },
  ...times,
}

export const team = {
  id: 'team_4kYq8ZbT1mXd1',
  parent_id: null,
  name: 'Northwind Lending',
  legal_name: 'Northwind Lending',
  ein: null,
  contacts: [],
  address: null,
  status: 'active',
  logo: null,
  version: '2026-03-30',
  api_version: '2026-03-30',
  keys: [],
  default_source_account: ach.id,
  payment_description: 'Northwind',
  allowed_origins: ['https://lender.example'],
  brand: { name: 'Northwind', logo: null, primary_color: '#1a7f5a', support_url: null, privacy_url: null },
  appearance: 'system',
  products: ['balance', 'update', 'payment', 'connect'],
  identity_methods: ['element', 'opal', 'kba', 'sms', 'byo_sms'],
  forwarding_allow_list: [],
  webhook_schedule: 'standard',
  ach_destinations: false,
  limits: { payment_amount_max: null, payments_per_month: null, sensitive_reads_per_day: 1_000 },
  require_encryption: false,
  default_encryption_key: null,
  phone_proof_days: 30,
  account_sharing: null,
  capabilities: [{ kind: 'entity_product', name: 'credit_score', available: true, reason: null }],
  ...times,
}

export const key = {
  id: 'key_4kYq8ZbT1mXd2',
  last4: 'x7Qa',
  scopes: ['read', 'write'],
  created_by: 'key_4kYq8ZbT1mXc1',
  created_at: times.created_at,
  last_used_at: null,
}
export const elementToken = 'pk_elem_7fP2nQ4sT6vX8zB1dF3hJ5kL7mN9pR2tV4xZ6bD8fH0jK2mN4q'
export const opalToken = 'otkn_7fP2nQ4sT6vX8zB1dF3hJ5kL7mN9pR2tV4xZ6bD8fH0jK2mN4q'

export const merchant = {
  id: 'mch_example',
  parent_name: 'Harbor Bank',
  name: 'Harbor Rewards Card',
  logo: null,
  type: 'credit_card',
  provider_ids: { plaid: ['ins_example'], mx: ['harbor'], finicity: [], dpp: [], rpps: [] },
  is_temp: false,
  account_number_formats: ['################'],
}

export const product = {
  name: 'update',
  status: 'available',
  status_error: null,
  latest_request_id: liability.update,
  latest_successful_request_id: liability.update,
  is_subscribable: true,
  ...times,
}

export const subscription = {
  id: 'sub_4kYq8ZbT1mXd3',
  name: 'update',
  status: 'active',
  payload: null,
  latest_request_id: null,
  ...times,
}

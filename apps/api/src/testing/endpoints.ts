/** For tests alone: a good body for each endpoint that takes one. */
/** Ids of things that a body may speak of. */
export interface Places {
  entity: string
  account: string
  session: string
  needs: string
}

export interface Endpoint {
  name: string
  /** Default POST. */
  method?: 'PUT'
  path: string
  body: Record<string, unknown>
  /** Places that take any value. */
  free?: string[]
  /** What the good body is answered with; default 200. */
  status?: number
}

const address = { line1: '1 Elm', line2: 'A', city: 'Austin', state: 'TX', zip: '78705' }
const individual = {
  first_name: 'Ana',
  last_name: 'Ruiz',
  phone: '+15125550101',
  email: 'ana@example.com',
  dob: '1980-05-05',
  ssn: '123456789',
}
const filters = {
  include: { account_types: ['credit_card'], products: ['update'] },
  exclude: { account_types: ['mortgage'], mch_ids: ['mch_1'], unverified_account_numbers: true },
}
const terms = {
  loan_amount: 500_000,
  minimum_payment: 100,
  maximum_payment: 400_000,
  residual_amount_max: 500_000,
  allow_over_balance: false,
  account_filters: filters,
  skip_pii: ['dob'],
}
const look = {
  appearance: 'dark',
  team_name: 'Northwind',
  team_logo: 'https://a.example/l.png',
  allowed_origins: ['http://localhost:1'],
}

/** A good body for each endpoint that takes one. */
export const endpoints = (at: Places): Endpoint[] => [
  {
    name: 'POST /entities, individual',
    path: '/entities',
    body: { type: 'individual', individual, address, metadata: { a: 1 } },
    free: ['metadata.a'],
  },
  {
    name: 'POST /entities, corporation',
    path: '/entities',
    body: {
      type: 'corporation',
      corporation: { name: 'N', dba: 'M', ein: '123456789', owners: [{ first_name: 'A' }] },
      address,
    },
    free: ['corporation.owners.0.first_name'],
  },
  {
    name: 'PUT /entities',
    method: 'PUT',
    path: `/entities/${at.entity}`,
    body: { individual: { email: 'a@b.co' }, address: { city: 'Austin' }, metadata: {} },
  },
  {
    name: 'POST /accounts',
    path: '/accounts',
    body: {
      holder_id: at.entity,
      type: 'ach',
      ach: { routing: '062103000', number: '12345678', type: 'checking' },
      metadata: {},
    },
  },
  {
    name: 'POST sms session',
    path: `/entities/${at.entity}/verification_sessions`,
    body: { type: 'phone', method: 'sms', sms: {} },
  },
  {
    name: 'POST byo_sms session',
    path: `/entities/${at.entity}/verification_sessions`,
    body: { type: 'phone', method: 'byo_sms', byo_sms: { timestamp: '2026-01-01T10:00:00.000Z' } },
  },
  {
    name: 'POST account session',
    path: `/accounts/${at.needs}/verification_sessions`,
    body: { type: 'standard' },
  },
  {
    name: 'POST connect',
    status: 400,
    path: `/entities/${at.entity}/connect`,
    body: { products: ['balance'] },
  },
  {
    name: 'POST /elements/token, balance_transfer',
    path: '/elements/token',
    body: { type: 'balance_transfer', entity_id: at.entity, balance_transfer: terms, ...look },
  },
  {
    name: 'POST /elements/token, connect',
    path: '/elements/token',
    body: {
      type: 'connect',
      connect: {
        products: ['balance'],
        entity: { type: 'individual', individual, address },
        account_filters: { selection_type: 'single', liability_types: ['mortgage'] },
      },
      ...look,
    },
  },
  {
    name: 'POST /opal/token, connect',
    path: '/opal/token',
    body: {
      mode: 'connect',
      entity_id: at.entity,
      connect: { selection_type: 'all', account_filters: filters, skip_pii: ['name'] },
    },
  },
  {
    name: 'POST /opal/token, balance_transfer',
    path: '/opal/token',
    body: { mode: 'balance_transfer', entity: { type: 'individual', individual }, balance_transfer: terms },
  },
  {
    name: 'POST /opal/sessions',
    status: 400,
    path: `/opal/sessions/${at.session}`,
    body: { action: 'release_payments', data: { source: 'acc_x' } },
  },
  {
    name: 'POST /simulate/opal/sessions',
    status: 200,
    path: `/simulate/opal/sessions/${at.session}`,
    body: { allocations: { [at.account]: 10_000 } },
  },
]

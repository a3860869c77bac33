/** Test helper that provides a valid body for each endpoint that accepts one. */
import { confirmed, fundingAccount, someone } from '../frame.js'
import { lender } from '../money.js'
import type { TestService } from '../service.js'
import { findUnproven } from './places.js'
/** Ids that bodies can reference. */
export interface Places {
  entity: string
  account: string
  session: string
  needs: string
  source: string
  payment: string
}

export interface Endpoint {
  name: string
  /** The method. Defaults to POST. */
  method?: 'PUT' | 'PATCH'
  path: string
  body: Record<string, unknown>
  /** Paths in the body that accept any value. */
  free?: string[]
  /** The status of the response to the valid body. Defaults to 200. */
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

/** Placeholder ids, used to list the endpoints' names before the real ids are known. */
export const blank: Places = { entity: '', account: '', session: '', needs: '', source: '', payment: '' }

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
  {
    name: 'POST /payments',
    path: '/payments',
    body: {
      amount: 5_000,
      source: at.source,
      destination: at.account,
      description: 'Loan',
      fee: { type: 'total', amount: 10 },
      reversal_account: at.source,
      dry_run: true,
      metadata: {},
    },
  },
  { name: 'POST /simulate/payments', path: `/simulate/payments/${at.payment}`, body: { status: 'processing' } },
  { name: 'POST /simulate/clock', path: '/simulate/clock', body: { advance: 'PT1S' } },
  { name: 'POST /secrets', path: '/secrets', body: { value: 'a secret', metadata: {} } },
  { name: 'POST /reports', path: '/reports', body: { type: 'ach.pull.upcoming', metadata: {} } },
  {
    name: 'POST /webhooks',
    path: '/webhooks',
    body: {
      type: 'payment.update',
      url: 'https://www.example.com/hook',
      auth_token: 'token',
      hmac_secret: 'secret-of-24-characters!!',
      expand_event: true,
      metadata: {},
    },
  },
  { name: 'POST /teams', path: '/teams', body: { name: 'Child' } },
  {
    name: 'PATCH /team',
    method: 'PATCH',
    path: '/team',
    body: {
      version: '2024-04-04',
      default_source_account: at.source,
      payment_description: 'Loan',
      allowed_origins: ['https://www.example.com'],
      brand: { name: 'Northwind', logo: 'https://a.example/l.png', primary_color: '#1a7f5a', support_url: null },
      appearance: 'dark',
      forwarding_allow_list: ['https://a.example'],
      webhook_schedule: 'long',
      ach_destinations: false,
      limits: { payment_amount_max: 100_000, payments_per_month: 100 },
      phone_proof_days: 10,
      account_sharing: 'chosen',
    },
    free: ['brand.support_url'],
  },
]

/**
 * Creates the resources for {@link endpoints}: a person with confirmed amounts, a new person, a funding account and a
 * payment.
 */
export async function makePlaces(service: TestService): Promise<Places> {
  const { session, accounts } = await confirmed(service, '+15125550100')
  const { must } = lender(service)
  const source = await fundingAccount(service)
  const account = accounts[0]!
  const payment = await must('POST', '/payments', { amount: 100, source, destination: account, description: 'x' })
  return {
    entity: await someone(service, '+15125550101'),
    account,
    session,
    needs: await findUnproven(service, '+15125550100'),
    source,
    payment: payment.id,
  }
}

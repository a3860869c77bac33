/** Examples of what an entity leads to. */
import { entity, liability, record, times } from './examples.js'

export const withdrawnEntity = {
  id: entity.id,
  type: null,
  individual: null,
  verification: null,
  error: {
    type: 'ENTITY_DISABLED',
    code: 12004,
    sub_type: 'ENTITY_CONSENT_WITHDRAWN',
    message: 'Entity was disabled due to consent withdrawal.',
  },
  address: {},
  status: 'disabled',
  metadata: null,
  ...times,
}

export const withdrawnAccount = {
  id: liability.id,
  holder_id: entity.id,
  status: 'disabled',
  consent_status: 'withdrawn',
  type: null,
  liability: null,
  products: [],
  restricted_products: [],
  subscriptions: [],
  available_subscriptions: [],
  restricted_subscriptions: [],
  error: {
    type: 'ACCOUNT_DISABLED',
    code: 11004,
    sub_type: 'ACCOUNT_CONSENT_WITHDRAWN',
    message: 'Account was disabled due to consent withdrawal.',
  },
  metadata: null,
  ...times,
}

const score = {
  score: 734,
  source: 'equifax',
  model: 'vantage_4',
  factors: [{ code: '00034', description: 'Few accounts were paid as agreed for long.' }],
  created_at: times.created_at,
}

export const creditScore = { id: 'crs_4kYq8ZbT1mXd4', entity_id: entity.id, ...record, scores: [score] }
export const scores = { scores: [score] }

export const identity = {
  id: 'idn_4kYq8ZbT1mXd5',
  entity_id: entity.id,
  ...record,
  identities: [
    {
      first_name: 'ANA',
      last_name: 'REYES',
      phone: '+12025550123',
      dob: '1988-04-09',
      address: { address: '1 ELM STREET', city: 'AUSTIN', state: 'TX', postal_code: '78705' },
      ssn: '987654321',
    },
  ],
}

export const entityAttribute = {
  id: 'attr_4kYq8ZbT1mXd6',
  entity_id: entity.id,
  ...record,
  attributes: { credit_card_utilization: { value: 25.7, error: null } },
}

export const vehicles = {
  id: 'vhl_4kYq8ZbT1mXd7',
  entity_id: entity.id,
  ...record,
  vehicles: [
    {
      vin: '1CWEXAMPL00000001',
      year: '2021',
      make: 'Subaru',
      model: 'Outback',
      series: 'Premium',
      major_color: 'Green',
      style: 'Wagon',
    },
  ],
}

export const manualConnect = {
  id: 'mcxn_4kYq8ZbT1mXd8',
  entity_id: entity.id,
  ...record,
  accounts: [{ account_id: liability.id, external_id: 'line-1' }],
}

export const tradelines = {
  bureau: 'equifax',
  tradelines: [
    {
      type_code: null,
      portfolio_type_code: 'revolving',
      designator_code: 'authorizedUser',
      number: '4111111111118721',
      creditor_name: 'HARBOR BANK',
      creditor_code: null,
      external_id: 'line-1',
      balance: 128760,
      highest_balance: 250000,
      credit_limit: 500000,
      term: null,
      next_payment_minimum_amount: 2575,
      last_payment_amount: 5000,
      past_due_amount: 0,
      delinquency_charge_off_amount: null,
      opened_at: '2019-05-14',
      closed_at: null,
      last_activity_date: '2026-02-11',
      reported_date: '2026-02-28',
      next_payment_due_date: '2026-03-14',
      last_payment_date: '2026-02-11',
      delinquency_first_start_date: null,
      payment_history: null,
      narrative_codes: null,
    },
  ],
}

/** One of each resource of an account, as the endpoints' examples show it, newest version. Held to the schemas by a test. */
import { liability } from './examples.js'

const times = { created_at: '2026-03-02T15:00:00.000Z', updated_at: '2026-03-02T15:00:00.000Z' }
const record = { account_id: liability.id, status: 'completed', error: null, ...times }

export const payoff = { id: 'pyf_4kYq8ZbT1mXe0', ...record, amount: 1264510, per_diem_amount: 212, term: 15 }

export const cardBrand = {
  id: 'crd_4kYq8ZbT1mXe1',
  ...record,
  brands: [
    {
      id: 'pdt_example_brd_1',
      card_product_id: 'pdt_example',
      description: 'Harbor Rewards Card, signature',
      name: 'Harbor Rewards Card',
      issuer: 'Harbor Bank',
      network: 'visa',
      network_tier: 'signature',
      type: 'specific',
      url: 'https://assets.example/pdt_example_brd_1.png',
      details: null,
    },
  ],
  source: 'network',
  shared: false,
  last4: '8721',
}

export const cardProduct = {
  id: 'pdt_example',
  name: 'Harbor Rewards Card',
  issuer: 'Harbor Bank',
  type: 'specific',
  brands: [
    {
      id: 'pdt_example_brd_1',
      description: 'Harbor Rewards Card, signature',
      network: 'visa',
      network_tier: 'signature',
      default_image: 'https://assets.example/pdt_example_brd_1.png',
    },
  ],
  error: null,
  ...times,
}

export const sensitive = {
  id: 'astv_4kYq8ZbT1mXe2',
  ...record,
  type: 'credit_card',
  credit_card: { billing_zip_code: null, number: '4111111111118721', exp_month: null, exp_year: null, cvv: null },
}

export const accountAttribute = {
  id: 'acc_attr_4kYq8ZbT1mXe3',
  ...record,
  attributes: { utilization: { value: 25.75, error: null }, usage_pattern: { value: 'revolver', error: null } },
}

export const instrument = {
  id: 'pmt_inst_4kYq8ZbT1mXe4',
  ...record,
  type: 'inbound_achwire_payment',
  card: null,
  network_token: null,
  inbound_achwire_payment: { account_number: '4410028735', routing_number: '062103000' },
  chargeable: true,
}

export const transaction = {
  id: 'txn_4kYq8ZbT1mXe5',
  account_id: liability.id,
  status: 'posted',
  descriptor: 'CORNER BOTTLE SHOP',
  merchant: null,
  merchant_category_code: '5182',
  amount: 2499,
  auth_amount: 2499,
  currency_code: 'USD',
  transaction_amount: 2499,
  transaction_auth_amount: 2499,
  transaction_currency_code: 'USD',
  transacted_at: times.created_at,
  posted_at: times.created_at,
  voided_at: null,
  original_txn_id: null,
  ...times,
}

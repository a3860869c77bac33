import { z } from 'zod'
import { entity, liability, record } from '../declaration/examples.js'
import { productName, subscriptionName } from '../fields/names.js'
import { entityRecord, product, recordEnd } from './product.js'
import { tradelines } from './tradelines.js'

const text = z.string().nullable()

/** Accounts from a credit report that the team provides. */
const manualConnect = z.object({
  ...entityRecord,
  accounts: z.array(z.object({ account_id: z.string(), external_id: text })).nullable(),
  requested_products: z.array(productName).describe('Always empty. Create the products of each account yourself'),
  requested_subscriptions: z.array(subscriptionName).describe('Always empty'),
  ...recordEnd,
})

const example = {
  id: 'mcxn_4kYq8ZbT1mXd8',
  entity_id: entity.id,
  ...record,
  accounts: [{ account_id: liability.id, external_id: 'line-1' }],
  requested_products: [],
  requested_subscriptions: [],
}

const request = {
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

export const manualConnectProduct = product({
  holder: 'entity',
  name: 'manual_connect',
  path: 'manual_connect',
  prefixes: { manual_connect: 'mcxn_' },
  events: ['manual_connect.create', 'manual_connect.update'],
  resource: ['ManualConnect', manualConnect],
  shares: 'accounts',
  title: 'Manual connect',
  about: 'Accounts from a credit report that you provide. For teams with `manual_connect` enabled.',
  records: {
    ids: ['ManualConnect', 'ManualConnects'],
    one: 'a manual connect',
    many: 'manual connects',
    example,
    listed: false,
    create: {
      description: 'Amounts are in cents. A line with an unknown creditor does not create an account.',
      body: tradelines,
      request,
    },
  },
})

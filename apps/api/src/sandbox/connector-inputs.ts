/** Conformance test inputs for the example connector: one person and one account from the tables. */
import { achNumbers, achRouting } from './tables/inputs.js'
import { people } from './tables/people.js'

const [first] = people
const ach = {
  id: 'acc_0',
  type: 'ach',
  routing: achRouting,
  number: achNumbers[0]!.number,
  reference: null,
  mch_id: null,
}
const account = first!.debts[0]!
const payment = {
  payment_id: 'pmt_0',
  amount: 5_000,
  fee: 0,
  source: ach,
  destination: { id: 'acc_1', type: 'liability', routing: null, number: null, reference: account, mch_id: null },
  created_at: Date.parse('2026-01-14T15:00:00.000Z'),
  source_date: '2026-01-14',
  destination_date: '2026-01-16',
}

export const exampleInputs: Readonly<Record<string, Record<string, unknown>>> = {
  'network/discover': { person: first!.reference },
  'network/balance': { account },
  'network/update': { account, source: 'snapshot' },
  'network/sensitive': { account },
  'network/instrument': { account, type: 'network_token' },
  'network/link': { person: first!.reference, name: null, return_url: 'https://app.example.com/return' },
  'network/unlink': { person: first!.reference, institution: 'no-such-institution' },
  'network/deposit': { routing: achRouting, number: ach.number, amounts: [21, 42] },
  'identity/send_code': { phone: first!.phone },
  'identity/begin_sna': { phone: first!.phone },
  'rail/accepts': { amount: payment.amount, source: ach, destination: payment.destination },
  'rail/submit': payment,
  'rail/cancel': payment,
  'rail/status': payment,
  'rail/reverse': {
    reversal_id: 'rvs_0',
    payment_id: 'pmt_0',
    amount: payment.amount,
    direction: 'credit',
    target: ach,
    approved_at: payment.created_at,
    date: payment.source_date,
  },
}

import { z } from 'zod'
import { liability, record } from '../declaration/examples.js'
import { cents, pointer } from '../fields/shared.js'
import { accountRecord, product, recordEnd } from './product.js'

/** The amount required to pay off a loan. */
const payoff = z.object({
  ...accountRecord,
  amount: cents.nullable().describe('In cents; null until completed'),
  per_diem_amount: cents.nullable().describe('The amount added per day, in cents'),
  term: z.int().nullable().describe('The number of days for which the amount is valid'),
  ...recordEnd,
})

const example = {
  id: 'pyf_4kYq8ZbT1mXe0',
  account_id: liability.id,
  ...record,
  amount: 1264510,
  per_diem_amount: 212,
  term: 15,
}

export const payoffProduct = product({
  holder: 'account',
  name: 'payoff',
  path: 'payoffs',
  prefixes: { payoff: 'pyf_' },
  events: ['payoff.create', 'payoff.update'],
  resource: ['Payoff', payoff],
  pointers: { payoff: pointer(payoff).optional().describe('Returned only for auto loans and mortgages') },
  connectable: true,
  element: 'payoff',
  shares: 'payoff',
  title: 'Payoffs',
  about: 'The amount that pays off an auto loan or a mortgage.',
  records: {
    ids: ['Payoff', 'Payoffs'],
    one: 'a payoff',
    many: 'payoffs',
    example,
    create: { description: 'Amounts are in cents. A failed record has error 18001.' },
  },
})

import { z } from 'zod'
import { liability, record } from '../declaration/examples.js'
import { cents, pointer } from '../fields/shared.js'
import { accountRecord, product, recordEnd } from './product.js'

/** The amount owed on an account, as reported by its institution. */
const balance = z.object({
  ...accountRecord,
  amount: cents.nullable().describe('In cents; null until completed'),
  ...recordEnd,
})

const example = { id: 'bal_4kYq8ZbT1mXcV', account_id: liability.id, ...record, amount: 128760 }

export const balanceProduct = product({
  holder: 'account',
  name: 'balance',
  path: 'balances',
  prefixes: { balance: 'bal_' },
  events: ['balance.create', 'balance.update'],
  resource: ['Balance', balance],
  pointers: { balance: pointer(balance).optional() },
  connectable: true,
  element: 'balance',
  shares: 'balance',
  title: 'Balances',
  about:
    'The current amount owed, as the institution reports it. A record is initially `pending`, and a `balance.update` event is sent when it is complete.',
  records: {
    ids: ['Balance', 'Balances'],
    one: 'a balance',
    many: 'balances',
    example,
    create: { description: 'Amounts are in cents. A failed record has error 20001.' },
  },
})

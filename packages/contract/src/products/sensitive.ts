import { z } from 'zod'
import { liability, record } from '../declaration/examples.js'
import { liabilityTypes } from '../fields/liability.js'
import { accountRecord, product, recordEnd } from './product.js'

const text = z.string().nullable()

const loanNumber = z.object({ number: text }).optional()

/**
 * The fields that can be requested in full, by debt type. A card's verification value is listed but never available.
 */
export const sensitiveFields = {
  credit_card: ['billing_zip_code', 'number', 'exp_month', 'exp_year', 'cvv'],
  auto_loan: ['number'],
  mortgage: ['number'],
  personal_loan: ['number'],
  collection: ['number'],
} as const

/** Full numbers. Only the block for the account's type is present. Numbers that were not requested are null. */
const sensitive = z.object({
  ...accountRecord,
  type: z.enum(liabilityTypes).nullable().describe('Null, with no block, after consent for the account is withdrawn'),
  credit_card: z
    .object({ billing_zip_code: text, number: text, exp_month: text, exp_year: text, cvv: z.null() })
    .optional(),
  auto_loan: loanNumber,
  mortgage: loanNumber,
  personal_loan: loanNumber,
  collection: loanNumber,
  ...recordEnd,
})

const example = {
  id: 'astv_4kYq8ZbT1mXe2',
  account_id: liability.id,
  ...record,
  type: 'credit_card',
  credit_card: { billing_zip_code: null, number: '4111111111118721', exp_month: null, exp_year: null, cvv: null },
}

const names = Object.entries(sensitiveFields).flatMap(([type, keys]) => keys.map(key => `${type}.${key}`))

/** The names of the requested numbers. The service rejects names that belong to a different debt type. */
export const sensitiveInput = z.object({ expand: z.array(z.enum(names)).min(1).max(20) })

export const sensitiveProduct = product({
  holder: 'account',
  name: 'sensitive',
  path: 'sensitive',
  prefixes: { sensitive: 'astv_' },
  events: ['sensitive.create', 'sensitive.update'],
  resource: ['Sensitive', sensitive],
  expanded: { sensitive: sensitive.nullable().optional().describe('Returned only if expanded') },
  element: 'sensitive',
  shares: 'number',
  title: 'Sensitive',
  about: 'The full numbers of a verified account. The service audits each read, and events never contain the numbers.',
  records: {
    ids: ['Sensitive', 'Sensitives'],
    one: "an account's numbers",
    many: 'requests for numbers',
    scope: 'sensitive',
    example,
    create: {
      description:
        'Waits for the institution. `expand` names fields of the account’s type. The card verification value is always null, because it is never stored.',
      body: sensitiveInput,
      request: { expand: ['credit_card.number'] },
    },
  },
})

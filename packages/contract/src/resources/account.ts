import { z } from 'zod'
import { accountAttribute, cardBrand, paymentInstrument, payoff, sensitive, transaction } from './account-products.js'
import { liability } from './liability.js'
import { productName, subscriptionName } from './names.js'
import { balance } from './product.js'
import { metadata, pointer, resourceError, timestamp } from './shared.js'
import { update } from './update.js'
import { accountVerificationSession } from './verification.js'

/** An account of the team's own, or of someone it pays. Its number is shown in full. */
export const ach = z.object({
  routing: z.string(),
  number: z.string().nullable(),
  type: z.enum(['checking', 'savings']),
})

export const account = z.object({
  id: z.string(),
  holder_id: z.string(),
  status: z.enum(['active', 'processing', 'disabled', 'closed']),
  consent_status: z
    .enum(['approved', 'withdrawn', 'pending'])
    .describe('Pending: found since its holder chose in an element, and not shown unless it is asked for'),
  type: z.enum(['ach', 'liability']).nullable().describe('Null once consent was withdrawn'),
  ach: ach.nullable().optional(),
  liability: liability.nullable().optional(),
  latest_verification_session: pointer(accountVerificationSession).optional(),
  update: pointer(update).optional(),
  balance: pointer(balance).optional(),
  card_brand: pointer(cardBrand).optional(),
  payment_instrument: pointer(paymentInstrument).optional(),
  payoff: pointer(payoff).optional().describe('Auto loans and mortgages alone have one'),
  attribute: pointer(accountAttribute).optional(),
  sensitive: sensitive.nullable().optional().describe('Only where expanded'),
  transaction: z.array(transaction).optional().describe('Only where expanded: the other spelling of transactions'),
  transactions: z.array(transaction).optional().describe('Only where expanded'),
  products: z.array(productName),
  restricted_products: z.array(productName).describe('What the account could have, and does not have yet'),
  subscriptions: z.array(subscriptionName).optional(),
  available_subscriptions: z.array(subscriptionName).optional(),
  restricted_subscriptions: z.array(subscriptionName).optional(),
  error: resourceError.nullable(),
  metadata: metadata.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Account = z.infer<typeof account>

import { z } from 'zod'
import { MAX_AMOUNT, MIN_AMOUNT } from '../money.js'
import { tokenResults } from '../resources/flow.js'
import { opalSession } from '../resources/opal.js'
import type { Endpoint, Family } from './endpoint.js'
import { individualInput } from './entities.js'
import * as examples from './examples.js'

const types = z.array(z.enum(['credit_card', 'auto_loan', 'mortgage', 'student_loan', 'personal_loan', 'loan'])).min(1)
const products = z.array(z.enum(['balance', 'payoff', 'transactions', 'card_brand', 'update', 'sensitive', 'payment']))
const cents = z.int().min(MIN_AMOUNT).max(MAX_AMOUNT)

export const inlineEntity = z
  .object({ type: z.enum(['individual']), individual: individualInput })
  .describe('Made when the token is redeemed; instead of entity_id')

export const filters = z.strictObject({
  include: z.strictObject({ account_types: types.optional(), products: products.min(1).optional() }).optional(),
  exclude: z
    .strictObject({
      account_types: types.optional(),
      mch_ids: z.array(z.string()).max(500).optional(),
      unverified_account_numbers: z.boolean().optional(),
    })
    .optional(),
})

export const cardExclude = z.strictObject({
  mch_ids: z.array(z.string()).max(500).optional(),
  unverified_account_numbers: z.boolean().optional(),
})

export const skipPii = z.array(z.enum(['name', 'dob', 'address', 'ssn_4']))

export const balanceTransfer = z.strictObject({
  loan_amount: cents.describe('Cents to allocate'),
  minimum_payment: cents.optional().describe('100 unless told'),
  maximum_payment: cents.optional().describe('loan_amount unless told, and at most'),
  residual_amount_max: z.int().min(0).max(MAX_AMOUNT).optional().describe('loan_amount unless told, and at most'),
  account_filters: filters.optional(),
  skip_pii: skipPii.optional(),
  allow_over_balance: z.boolean().optional(),
})

/** Of a token with `redirect_url`. */
export const hostedUrl = z
  .string()
  .optional()
  .describe('Where redirect_url was sent: the page to send the person to, once, within 24 hours; shown this once')

/** What every token takes. */
export const display = {
  allowed_origins: z.array(z.string()).max(20).nullable().optional().describe("Instead of the team's list"),
  appearance: z.enum(['light', 'dark', 'system']).nullable().optional(),
  team_name: z.string().optional(),
  team_logo: z
    .url({ protocol: /^https$/ })
    .nullable()
    .optional(),
  redirect_url: z
    .string()
    .max(2_000)
    .nullable()
    .optional()
    .describe(
      'Makes a link to a hosted page in place of an element, which ends there, with `status`, `session_id` and `entity_id` added; https (in the sandbox also this machine), on one of the allowed origins',
    ),
}

export const tokenErrors = [
  'INVALID_ENTITY',
  'INVALID_ENTITY_TYPE',
  'NOT_FOUND',
  'INVALID_MODE_CONFIG',
  'INVALID_STATUS',
] as const
/** What the details of an entity are refused for. */
export const inlineErrors = [
  'INVALID_ENTITY_PHONE_NUMBER',
  'INVALID_ENTITY_EMAIL_ADDRESS',
  'ENTITY_INVALID_SSN',
  'ENTITY_INVALID_SSN4',
] as const

const results = {
  authenticated: true,
  cxn_id: examples.connect.id,
  accounts: [examples.liability.id],
  entity_id: examples.entity.id,
  events: [{ type: 'connect.session.completed', timestamp: '2026-03-02T15:00:00.000Z', metadata: null }],
}

const endpoints: Endpoint[] = [
  {
    method: 'POST',
    path: '/elements/token',
    summary: 'Create an element token',
    description:
      'Starts an element in a page, once, within 30 minutes, or a hosted page, within 24 hours. The configuration stands under the name of the type. `session_id` in place of an entity goes on with a session of the same type.',
    body: z.object({
      type: z.enum(['connect', 'balance_transfer']),
      entity_id: z.string().optional(),
      entity: inlineEntity.optional(),
      session_id: z.string().optional(),
      connect: z
        .strictObject({
          products: products.optional(),
          accounts: z.array(z.string()).min(1).max(500).optional(),
          entity: inlineEntity.optional(),
          account_filters: z
            .strictObject({
              selection_type: z.enum(['single', 'multiple', 'all']).optional(),
              liability_types: types.optional(),
            })
            .optional(),
        })
        .optional(),
      balance_transfer: balanceTransfer.optional(),
      ...display,
    }),
    answer: z.object({
      element_token: z.string().describe('`pk_elem_…`, shown this once'),
      session_id: z.string().optional().describe('Of a balance transfer'),
      hosted_url: hostedUrl,
    }),
    errors: [...tokenErrors, ...inlineErrors],
    example: {
      request: { type: 'balance_transfer', entity_id: examples.entity.id, balance_transfer: { loan_amount: 500000 } },
      answer: { element_token: examples.elementToken, session_id: examples.opal.id },
    },
  },
  {
    method: 'GET',
    path: '/elements/token/:token/results',
    summary: 'What happened with a token',
    description: 'The token may be given by its handle alone: the first 16 characters after `pk_elem_`.',
    answer: tokenResults,
    example: { answer: results },
  },
  {
    method: 'GET',
    path: '/elements/sessions/:id',
    summary: "Retrieve an element's session",
    answer: opalSession,
    shape: 'wrapped',
    example: { answer: examples.opal },
  },
]

export const elementFamily: Family = {
  name: 'Elements',
  about: 'Tokens for the embeddable elements.',
  endpoints,
}

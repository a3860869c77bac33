import { z } from 'zod'
import { suggestions } from '../allocations.js'
import { address, endpoint, type Family } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { liabilityTypes } from '../fields/liability.js'
import { consentProducts } from '../fields/names.js'
import { MAX_AMOUNT, MIN_AMOUNT } from '../money.js'
import { connectExample } from '../products/connect.js'
import { elementProducts } from '../products/of-accounts.js'
import { tokenResults } from '../resources/flow.js'
import { opalSession } from '../resources/opal.js'
import { idText, nameText } from '../text.js'
import { addressInput, individualInput } from './entities.js'

const types = z
  .array(z.enum(liabilityTypes))
  .max(100)
  .describe('An empty list applies no filter. `student_loans` and `student_loan` are equivalent')
const products = z.array(z.enum(elementProducts)).max(100)
/** The `products` of a token, which the person is asked to share. */
export const askedProducts = z
  .array(z.enum([...new Set([...elementProducts, ...consentProducts])]))
  .max(100)
  .describe(
    'The products that the person is asked to share. The consent names only their data, and requests for other products are refused. If missing or empty, the person is asked to share every product. `transactions` and `transaction` are equivalent',
  )
const whole = 'must be a whole number of cents'
const cents = z
  .int(whole)
  .min(MIN_AMOUNT, `must be at least ${MIN_AMOUNT}`)
  .max(MAX_AMOUNT, `must be at most ${MAX_AMOUNT}`)
const ids = (prefix: string) =>
  z.array(z.string().max(64, { abort: true }).startsWith(prefix, `must be an id that begins with ${prefix}`)).max(500)

export const inlineEntity = z
  .object({ type: z.literal('individual'), individual: individualInput, address: addressInput.nullish() })
  .describe('An entity to create when the token is redeemed. Send it instead of entity_id')

const exclude = { mch_ids: ids('mch_').optional(), unverified_account_numbers: z.boolean().optional() }
export const filters = z.strictObject({
  include: z.strictObject({ account_types: types.optional(), products: products.optional() }).optional(),
  exclude: z.strictObject({ account_types: types.optional(), ...exclude }).optional(),
})

export const cardFilters = z.strictObject({ exclude: z.strictObject(exclude).optional() })

export const skipPii = z.array(z.enum(['name', 'dob', 'address', 'ssn_4'])).max(100)

/** The `balance_transfer` block of an element or Opal token. */
export const balanceTransfer = z
  .strictObject({
    loan_amount: cents.describe('The amount to allocate, in cents'),
    minimum_payment: cents.optional().describe('Default: 100'),
    maximum_payment: cents.optional().describe('Default and maximum: loan_amount'),
    residual_amount_max: z
      .int(whole)
      .min(0, 'must be at least 0')
      .max(MAX_AMOUNT, `must be at most ${MAX_AMOUNT}`)
      .optional()
      .describe('Default and maximum: loan_amount'),
    products: askedProducts
      .optional()
      .describe(
        'Like `products` of `connect`. The person agrees to `payment` when they confirm the payments. The list of a session can’t change',
      ),
    account_filters: filters.optional(),
    skip_pii: skipPii.optional(),
    allow_over_balance: z.boolean().optional(),
    suggestion: z
      .enum(suggestions)
      .optional()
      .describe(
        'The order in which accounts are paid in the suggested allocation. Default: `highest_rate`. Accounts with an unknown rate or balance come last. Ties are broken by balance, then by id. The person can change the order and each amount',
      ),
    loan_apr: z
      .number()
      .min(0)
      .max(100)
      .refine(percent => Number(percent.toFixed(2)) === percent, 'must have at most two decimals')
      .optional()
      .describe(
        "The loan's annual rate in percent, with at most two decimals. If set, the person sees an estimate of the interest they save in the first year",
      ),
  })
  .refine(({ loan_amount, maximum_payment = 0 }) => maximum_payment <= loan_amount, {
    path: ['maximum_payment'],
    error: 'must be at most loan_amount',
  })
  .refine(
    ({ loan_amount, minimum_payment = MIN_AMOUNT, maximum_payment = loan_amount }) =>
      minimum_payment <= maximum_payment,
    { path: ['minimum_payment'], error: 'must be at most maximum_payment' },
  )
  .refine(({ loan_amount, residual_amount_max = 0 }) => residual_amount_max <= loan_amount, {
    path: ['residual_amount_max'],
    error: 'must be at most loan_amount',
  })

/** The `connect` block of an element token. */
export const elementConnect = z.strictObject({
  products: askedProducts.optional(),
  accounts: ids('acc_').optional(),
  entity: inlineEntity.optional(),
  account_filters: z
    .strictObject({
      selection_type: z.enum(['single', 'multiple', 'all']).optional(),
      liability_types: types.optional(),
    })
    .optional(),
  balance_transfer: balanceTransfer
    .optional()
    .describe(
      'Continues with a balance transfer under these terms in the same element, as soon as the accounts are linked. Requires `entity_id`',
    ),
})

/** The `hosted_url` field of a token that was created with `redirect_url`. */
export const hostedUrl = z
  .string()
  .optional()
  .describe(
    'The URL of the hosted page to send the person to. It can be opened once, within 24 hours. Returned only once, and only if you sent redirect_url',
  )

const originList = 'must be at most 20 origins such as https://www.example.com, without a path or a wildcard'
const proofDays = 'must be a whole number from 0 (always send a code) to 30, or null to use the team setting'

/** The display fields accepted for every token. */
export const display = {
  allowed_origins: z
    .array(z.string(originList).max(300, originList), originList)
    .min(1, 'must have at least one origin. Omit it to use the origins of the team')
    .max(20, originList)
    .nullish()
    .describe('Origins to use instead of the team list'),
  appearance: z.enum(['light', 'dark', 'system']).nullish(),
  team_name: nameText(200).nullish(),
  team_logo: address.nullish(),
  redirect_url: z
    .string()
    .max(2_000)
    .nullable()
    .optional()
    .describe(
      'Creates a link to a hosted page instead of an element. The page redirects to this URL and adds `status`, `session_id` and `entity_id`. Must be an HTTPS URL on an allowed origin. The sandbox also accepts HTTP on this machine',
    ),
  phone_proof_days: z
    .int(proofDays)
    .min(0, proofDays)
    .max(30, proofDays)
    .nullish()
    .describe(
      "The number of days for which a phone verification is valid with this token, up to the limit in the team's settings. If 0, a code is always sent; this is the default with `redirect_url`. If null, the team setting applies; this is the default without `redirect_url`",
    ),
}

/** The error for a token that does not identify exactly one person. */
export const ONE_PERSON_RULE = 'Send either entity_id (the id of an existing entity) or entity (the entity to create).'

export const tokenErrors = [
  'INVALID_ENTITY',
  'INVALID_ENTITY_TYPE',
  'NOT_FOUND',
  'INVALID_MODE_CONFIG',
  'INVALID_STATUS',
  'TEAM_CAPABILITY_RESTRICTED',
] as const

const results = {
  authenticated: true,
  cxn_id: connectExample.id,
  accounts: [examples.liability.id],
  entity_id: examples.entity.id,
  events: [{ type: 'connect.session.completed', timestamp: '2026-03-02T15:00:00.000Z', metadata: null }],
}

export const endpoints = {
  createElementToken: endpoint({
    method: 'POST',
    path: '/elements/token',
    summary: 'Create an element token',
    description:
      'The token opens an element once within 30 minutes, or a hosted page once within 24 hours. Send the configuration in the field named after the type. To continue a session of the same type, send `session_id` instead of an entity.',
    body: z
      .object({
        type: z.enum(['connect', 'balance_transfer']),
        entity_id: idText.optional(),
        entity: inlineEntity.optional(),
        session_id: idText.optional(),
        connect: elementConnect.optional(),
        balance_transfer: balanceTransfer.optional(),
        ...display,
      })
      .refine(
        ({ type, connect, entity_id, session_id }) =>
          type !== 'connect' || !connect?.accounts?.length || entity_id !== undefined || session_id !== undefined,
        'entity_id is required with connect.accounts: the id of their holder.',
      )
      .refine(
        ({ type, connect, entity_id, session_id }) =>
          type !== 'connect' || !connect?.balance_transfer || entity_id !== undefined || session_id !== undefined,
        'entity_id is required with connect.balance_transfer: the id of an existing entity.',
      )
      .refine(({ type, connect, entity, entity_id, session_id }) => {
        const created = type === 'connect' ? connect?.entity : entity
        return session_id !== undefined || (entity_id === undefined) !== (created === undefined)
      }, ONE_PERSON_RULE)
      .refine(
        ({ type, balance_transfer, session_id }) =>
          type !== 'balance_transfer' || balance_transfer !== undefined || session_id !== undefined,
        'balance_transfer is required.',
      ),
    answer: z.object({
      element_token: z.string().describe('`pk_elem_…`, returned only once'),
      session_id: z
        .string()
        .optional()
        .describe(
          'The session of the balance transfer. Returned only for a balance transfer, or with `connect.balance_transfer`',
        ),
      element_session_id: z.string().optional().describe('The same as `session_id`. Returned only under `/enveloped`'),
      hosted_url: hostedUrl,
    }),
    errors: tokenErrors,
    example: {
      request: { type: 'balance_transfer', entity_id: examples.entity.id, balance_transfer: { loan_amount: 500000 } },
      answer: { element_token: examples.elementToken, session_id: examples.opal.id },
    },
  }),
  retrieveElementResults: endpoint({
    method: 'GET',
    path: '/elements/token/:token/results',
    summary: 'Retrieve the results of a token',
    description: 'Instead of the whole token, you can send its handle: the first 16 characters after `pk_elem_`.',
    answer: tokenResults,
    example: { answer: results },
  }),
  retrieveElementSession: endpoint({
    method: 'GET',
    path: '/elements/sessions/:id',
    summary: "Retrieve an element's session",
    answer: opalSession,
    shape: 'wrapped',
    example: { answer: examples.opal },
  }),
}

export const elementFamily: Family = {
  name: 'Elements',
  about: 'Tokens for the embeddable elements.',
  endpoints,
}

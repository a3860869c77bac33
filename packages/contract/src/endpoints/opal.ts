import { z } from 'zod'
import { opalEvent, opalView } from '../resources/flow.js'
import { opalSession } from '../resources/opal.js'
import { timestamp } from '../resources/shared.js'
import { type Mode, modes } from '../session.js'
import {
  balanceTransfer,
  cardFilters,
  display,
  filters,
  hostedUrl,
  inlineEntity,
  skipPii,
  tokenErrors,
} from './elements.js'
import { endpoint, type Family, paging } from './endpoint.js'
import * as examples from './examples.js'
import { sourceErrors } from './payments.js'

const view = {
  ...examples.opal,
  config: {
    name: 'Northwind',
    logo: null,
    opal_should_prefill_entities: true,
    primary_color: '#1a7f5a',
    event_channel: null,
    accounts_liability_allow_number_update: true,
    appearance: 'system',
  },
  entity: null,
  idv: null,
  cxn: null,
  avf: null,
  txn: null,
  completed_at: null,
}

const started = {
  type: 'opal.session.started',
  mode: 'balance_transfer',
  object: 'session',
  action: 'started',
  timestamp: '2026-03-02T15:00:00.000Z',
  data: null,
}

const released = {
  ...examples.opal,
  bt: {
    ...examples.opal.bt,
    payout_status: 'released',
    payment_ids: { [examples.liability.id]: examples.payment.id },
    released_at: '2026-03-02T15:00:00.000Z',
  },
}

/** The configuration of an Opal token, by its mode. */
export const opalBlocks = {
  connect: z.strictObject({
    selection_type: z.enum(['single', 'multiple', 'all']).optional(),
    account_filters: filters.optional(),
    skip_pii: skipPii.optional(),
  }),
  identity_verification: z.strictObject({ skip_pii: skipPii.optional() }),
  card_connect: z.strictObject({
    selection_type: z.enum(['single', 'multiple']),
    account_filters: cardFilters.optional(),
    skip_pii: skipPii.optional(),
  }),
  account_verification: z.strictObject({
    account_id: z
      .string()
      .startsWith('acc_', 'must be an id, which begins with acc_ here')
      .max(64)
      .describe('A liability or an ach account of the entity'),
    intent: z
      .enum(['data', 'payments', 'transactions'])
      .optional()
      .describe(
        'Asks for the number, for the number where payments need it, for the card; unless told, for what fits. Of an ach account, for the amounts of two small deposits',
      ),
  }),
  // Some clients repeat the empty block inside it.
  transactions: z.strictObject({ transactions: z.strictObject({}).optional() }),
  balance_transfer: balanceTransfer,
} satisfies Record<Mode, z.ZodType>

export const tokens = {
  createOpalToken: endpoint({
    method: 'POST',
    path: '/opal/token',
    summary: 'Create an Opal token',
    description:
      'The configuration stands under the name of the mode. Give one of `entity_id`, `entity` and `session_id`; with `session_id` the session goes on, and `mode` may be left out; without it there is a new one.',
    body: z
      .object({
        mode: z.enum(modes).optional(),
        entity_id: z.string().optional(),
        entity: inlineEntity.optional(),
        session_id: z.string().optional(),
        connect: opalBlocks.connect.optional(),
        identity_verification: opalBlocks.identity_verification.optional(),
        card_connect: opalBlocks.card_connect
          .optional()
          .describe('Credit cards alone, each of which the person shows to hold'),
        account_verification: opalBlocks.account_verification.optional(),
        transactions: opalBlocks.transactions
          .optional()
          .describe('Follows the transactions of cards from then on. Takes no options'),
        balance_transfer: opalBlocks.balance_transfer.optional(),
        ...display,
      })
      .refine(
        ({ mode, session_id }) => mode !== undefined || session_id !== undefined,
        `mode must be one of: ${modes.join(', ')}; with session_id it may be left out.`,
      ),
    answer: z.object({
      token: z.string().describe('`otkn_…`, shown this once'),
      session_id: z.string(),
      valid_until: timestamp.describe('30 minutes after creation, 24 hours for a hosted page'),
      hosted_url: hostedUrl,
    }),
    shape: 'wrapped',
    errors: [...tokenErrors, 'TEAM_CAPABILITY_RESTRICTED', 'VERIFICATION_TYPE_NOT_SUPPORTED'],
    example: {
      request: { mode: 'balance_transfer', entity_id: examples.entity.id, balance_transfer: { loan_amount: 500000 } },
      answer: {
        token: examples.opalToken,
        session_id: examples.opal.id,
        valid_until: '2026-03-02T15:30:00.000Z',
      },
    },
  }),
  retrieveOpalToken: endpoint({
    method: 'GET',
    path: '/opal/token',
    summary: "Retrieve a token's session",
    description: 'As the holder of the token may see it: details of the person end with the token.',
    auth: 'opal',
    answer: opalView,
    shape: 'wrapped',
    errors: ['NOT_FOUND'],
    example: { answer: view },
  }),
  endOpalToken: endpoint({
    method: 'DELETE',
    path: '/opal/token',
    summary: 'End a token',
    description: 'The token stops working at once. Its session is kept.',
    auth: 'opal',
    answer: z.null(),
    shape: 'wrapped',
    example: { answer: null },
  }),
  listOpalEvents: endpoint({
    method: 'GET',
    path: '/opal/events',
    summary: "List a token's events",
    description: 'What the person did in the element, in the order that it happened.',
    auth: 'opal',
    answer: z.array(opalEvent),
    shape: 'wrapped',
    errors: ['NOT_FOUND'],
    example: { answer: [started] },
  }),
}

export const sessions = {
  listOpalSessions: endpoint({
    method: 'GET',
    path: '/opal/sessions',
    summary: 'List sessions',
    query: { ...paging, entity_id: z.string() },
    answer: opalSession,
    shape: 'list',
    example: { answer: [examples.opal] },
  }),
  retrieveOpalSession: endpoint({
    method: 'GET',
    path: '/opal/sessions/:id',
    summary: 'Retrieve a session',
    answer: opalSession,
    shape: 'wrapped',
    example: { answer: examples.opal },
  }),
  releaseOpalSession: endpoint({
    method: 'POST',
    path: '/opal/sessions/:id',
    scope: 'payments',
    summary: 'Release the payments of a balance transfer',
    description:
      'After the person confirmed. Allocations, source and every destination are checked again; a failure leaves `pending_release`. Each allocation becomes a payment of its own: one that could not be made is null in `payment_ids`. Releasing again answers the session and pays nothing.',
    body: z.object({
      action: z.literal('release_payments'),
      data: z
        .object({ source: z.string().max(64).optional().describe("The team's default source unless told") })
        .nullable()
        .optional(),
    }),
    answer: opalSession,
    shape: 'wrapped',
    errors: [
      'INVALID_MODE_CONFIG',
      'BT_NO_ALLOCATIONS',
      'BT_MISSING_SOURCE',
      'BT_ACCOUNT_NOT_PAYABLE',
      'BT_AMOUNT_OUT_OF_BOUNDS',
      'BT_ALLOCATIONS_EXCEED_LOAN',
      'BT_RESIDUAL_EXCEEDS_MAX',
      'PAYMENTS_STOPPED',
      ...sourceErrors,
      'INVALID_TRANSFER',
    ],
    example: { request: { action: 'release_payments', data: { source: examples.ach.id } }, answer: released },
  }),
}

export const opalFamily: Family = {
  name: 'Opal',
  about: 'Tokens and sessions of the hosted flow, and the release of a balance transfer.',
  endpoints: { ...tokens, ...sessions },
}

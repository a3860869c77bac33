import { z } from 'zod'
import { counting, endpoint, type Family, paging, sorting } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { timestamp } from '../fields/shared.js'
import { opalEvent, opalView } from '../resources/flow.js'
import { opalSession, sessionProgress } from '../resources/opal.js'
import { type Mode, modes, steps } from '../session.js'
import { idText } from '../text.js'
import {
  askedProducts,
  balanceTransfer,
  cardFilters,
  display,
  filters,
  hostedUrl,
  inlineEntity,
  ONE_PERSON_RULE,
  skipPii,
  tokenErrors,
} from './elements.js'
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

/** The configuration of an Opal token, by mode. */
export const opalBlocks = {
  connect: z.strictObject({
    selection_type: z.enum(['single', 'multiple', 'all']).optional(),
    products: askedProducts.optional(),
    account_filters: filters.optional(),
    skip_pii: skipPii.optional(),
  }),
  identity_verification: z.strictObject({ skip_pii: skipPii.optional() }),
  card_connect: z.strictObject({
    selection_type: z.enum(['single', 'multiple', 'all']).describe('`all` means `multiple`'),
    products: askedProducts.optional(),
    account_filters: cardFilters.optional(),
    skip_pii: skipPii.optional(),
  }),
  account_verification: z.strictObject({
    account_id: z
      .string()
      .max(64, { abort: true })
      .startsWith('acc_', 'must be an id that begins with acc_')
      .describe('A liability or ACH account of the entity'),
    intent: z
      .enum(['data', 'payments', 'transactions'])
      .optional()
      .describe(
        'The details that the person must enter. For `data`, the account number. For `payments`, the account number if payments require it. For `transactions`, the card details. The default depends on the account. For an ACH account, the person enters the amounts of two micro-deposits',
      ),
  }),
  // Some clients nest the empty `transactions` block inside itself.
  transactions: z.strictObject({ transactions: z.strictObject({}).optional() }),
  balance_transfer: balanceTransfer,
  manage: z.strictObject({}),
} satisfies Record<Mode, z.ZodType>

/** Returns the rule that requires an existing entity for a mode. */
const needsEntity = (needed: Mode) =>
  [
    ({
      mode,
      entity_id,
      session_id,
    }: {
      mode?: Mode | undefined
      entity_id?: string | undefined
      session_id?: string | undefined
    }) => mode !== needed || entity_id !== undefined || session_id !== undefined,
    `entity_id is required for ${needed}: the id of an existing entity.`,
  ] as const

export const tokens = {
  createOpalToken: endpoint({
    method: 'POST',
    path: '/opal/token',
    summary: 'Create an Opal token',
    description:
      'Send the configuration in the field named after the mode, and one of `entity_id`, `entity` and `session_id`. With `session_id`, the token continues that session, and you can omit `mode`. Without `session_id`, the token creates a new session.',
    body: z
      .object({
        mode: z.enum(modes).optional(),
        entity_id: idText.optional(),
        entity: inlineEntity.optional(),
        session_id: idText.optional(),
        connect: opalBlocks.connect.optional(),
        identity_verification: opalBlocks.identity_verification.optional(),
        card_connect: opalBlocks.card_connect.optional().describe('Credit cards only. The person verifies each one'),
        account_verification: opalBlocks.account_verification.optional(),
        transactions: opalBlocks.transactions
          .optional()
          .describe('Subscribes the cards to transactions. Takes no options'),
        balance_transfer: opalBlocks.balance_transfer.optional(),
        manage: opalBlocks.manage
          .optional()
          .describe(
            "The person's own page, where they see their receipts and what they share with you, stop sharing, and download their data. Takes no options. Requires `entity_id`",
          ),
        ...display,
      })
      .refine(
        ({ mode, session_id }) => mode !== undefined || session_id !== undefined,
        `mode must be one of: ${modes.join(', ')}. You can omit it if you send session_id.`,
      )
      .refine(
        ({ entity, entity_id, session_id }) =>
          session_id !== undefined || (entity_id === undefined) !== (entity === undefined),
        ONE_PERSON_RULE,
      )
      .refine(...needsEntity('account_verification'))
      .refine(...needsEntity('manage')),
    answer: z.object({
      token: z.string().describe('`otkn_…`, returned only once'),
      session_id: z.string(),
      valid_until: timestamp.describe(
        'When the token expires: 30 minutes after creation, or 24 hours for a hosted page',
      ),
      hosted_url: hostedUrl,
    }),
    shape: 'wrapped',
    errors: [...tokenErrors, 'VERIFICATION_TYPE_NOT_SUPPORTED'],
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
    description:
      'Returns the data that the token gives access to. Personal details are returned only while the token is valid.',
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
    description: 'The token stops working immediately. Its session remains.',
    auth: 'opal',
    answer: z.null(),
    shape: 'wrapped',
    example: { answer: null },
  }),
  listOpalEvents: endpoint({
    method: 'GET',
    path: '/opal/events',
    summary: "List a token's events",
    description: "Returns the person's actions in the element, oldest first.",
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
    description: '`count` cannot be combined with `unpaid` or `stuck_for`.',
    query: {
      ...paging,
      ...counting,
      ...sorting,
      entity_id: z.string(),
      step: z.enum(steps).describe('The last screen that the person saw'),
      stuck_for: z
        .string()
        .describe(
          'Only sessions that were opened, are not completed and have not changed for this ISO 8601 duration, such as P1D. Excludes a session if the person has nothing left to do in it, has a later session of the same mode, or withdrew consent',
        ),
      payout_status: z
        .enum(['pending_release'])
        .describe('With `pending_release`, only balance transfers that the person confirmed and that are not released'),
      unpaid: z
        .enum(['true'])
        .describe(
          'With `true`, only released sessions in which an account is still unpaid: see `bt.unpaid`. A page can hold fewer sessions than `page_limit`',
        ),
    },
    answer: opalSession,
    shape: 'list',
    example: { answer: [examples.opal] },
  }),
  retrieveSessionProgress: endpoint({
    method: 'GET',
    path: '/opal/sessions/:id/progress',
    summary: 'Retrieve the current step of a session',
    description: 'Contains only codes, never anything that the person typed.',
    answer: sessionProgress,
    example: {
      answer: {
        step: 'code',
        since: examples.times.created_at,
        tries_left: 4,
        tries_used: 1,
        account: null,
        can_skip: false,
        waits_for: 'person',
        last_code: null,
        retry_at: null,
        steps: [
          { step: 'consent', at: examples.times.created_at, tries: 1 },
          { step: 'code', at: examples.times.created_at, tries: 1 },
        ],
      },
    },
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
      'Call this endpoint after the person confirms. The service checks the allocations, the source and each destination again. If a check fails, the session stays `pending_release`. Each allocation becomes a separate payment. A payment that could not be created is null in `payment_ids`. Releasing again returns the session and creates no payments.',
    body: z.object({
      action: z.literal('release_payments'),
      data: z
        .object({ source: z.string().max(64).optional().describe('Default: the default source of the team') })
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

import { boundedJson, freeForm } from '@causeway/contract/free-form'
import { cardChecks } from '@causeway/contract/methods/card'
import { vouchedTypes } from '@causeway/contract/methods/vouched'
import { score } from '@causeway/contract/products/credit-score'
import { candidate } from '@causeway/contract/products/identity'
import { vehicle } from '@causeway/contract/products/vehicle'
import { cardStandings, ownershipResults } from '@causeway/contract/resources/preauth'
import { text as matching } from '@causeway/contract/text'
import { z } from 'zod'
import type { Network } from '../ports/network.js'
import { creditReportMethods } from './credit-report-methods.js'
import type { Method, Methods } from './method.js'
import {
  bureau,
  cardFields,
  cardProduct,
  cents,
  completedOr,
  details,
  failed,
  liability,
  merchant,
  nullableText,
  reference,
  text,
  time,
  transfers,
} from './shapes.js'

const account = z.object({ account: reference })
const person = z.object({ person: reference })
const names = z.array(text).max(500)
/** The maximum size of all attributes of an account or a person, as compact JSON in UTF-16 units. */
const MAX_ATTRIBUTES_LENGTH = 131_072
/** Logged, so it has no spaces. */
const returnCode = matching({ max: 40, pattern: /^[\w.-]+$/, error: 'must be a code such as R03' })
const pageUrl = z
  .string()
  .max(2_000, { abort: true })
  .check(z.url({ protocol: /^https?$/ }))
const check = z.enum(['pass', 'fail', 'unavailable']).nullable()
const value = z.union([z.number(), z.string().max(1_000), z.boolean()])

const changeFields = { id: text.describe("The change's permanent id."), at: time }
const change = z
  .discriminatedUnion('type', [
    z.object({ ...changeFields, type: z.literal('update'), data: freeForm }),
    z.object({ ...changeFields, type: z.literal('card'), brands: z.array(text).max(100), number: nullableText }),
    z.object({
      ...changeFields,
      type: z.literal('transaction'),
      posting: z.object({
        status: z.enum(['pending', 'posted', 'voided']),
        descriptor: text,
        merchant_category_code: text,
        amount: z.int(),
        currency_code: text,
        transacted_at: time,
      }),
    }),
    z.object({ ...changeFields, type: z.literal('account'), liability }),
  ])
  .meta({ id: 'change' })

/** The method that returns the network's two tables. The service calls it at startup and at regular intervals. */
export const tablesMethod = {
  kind: 'read',
  what: 'Returns every merchant, every card product, and the credit bureau that the network queries. The consent screen shows the bureau’s name. `null` means that no bureau is queried: people are then not asked to permit a credit check. Without the field, the texts mention a bureau without its name. The service ignores a bureau if its name is longer than 60 characters, contains no letter or digit, or contains a control, invisible or bidirectional character. `request_id` and `team_id` are not used here.',
  question: z.object({}),
  answer: z.object({
    merchants: z.array(merchant).max(100_000),
    card_products: z.array(cardProduct).max(100_000),
    bureau: bureau.nullable().exactOptional(),
  }),
} satisfies Method

export const networkMethods = {
  discover: {
    kind: 'read',
    what: "Returns all of a person's liability accounts.",
    question: person,
    answer: completedOr({ liabilities: z.array(liability).max(1_000) }),
  },
  balance: {
    kind: 'read',
    what: 'Returns the current amount owed, in cents.',
    question: account,
    answer: completedOr({ amount: z.int() }),
  },
  update: {
    kind: 'read',
    what: "Returns the update data for the liability's type, and the date of that data.",
    question: z.object({ account: reference, source: z.enum(['direct', 'snapshot']) }),
    answer: completedOr({ as_of: time, data: freeForm }),
  },
  verifyNumber: {
    kind: 'check',
    what: 'Checks a full account number. Code 16002: the number does not belong to the account. Code 16001: no payment can reach the account.',
    question: z.object({ account: reference, number: text }),
    answer: z.discriminatedUnion('status', [z.object({ status: z.literal('verified') }), failed]),
  },
  describe: {
    kind: 'read',
    what: 'Returns the liability account with this merchant and number; null if the merchant is unknown.',
    question: z.object({ mch_id: text, number: text }),
    answer: liability.nullable(),
  },
  payoff: {
    kind: 'read',
    what: 'Returns the amount that settles a loan within `term` days.',
    question: account,
    answer: completedOr({ amount: cents, term: z.int().nullable(), per_diem_amount: cents.nullable() }),
  },
  cardBrand: {
    kind: 'read',
    what: 'Returns a card’s designs, as brand ids from the card products.',
    question: account,
    answer: completedOr({ brands: z.array(text).max(100) }),
  },
  sensitive: {
    kind: 'read',
    what: 'Returns the full account number and, for a card, its details.',
    question: account,
    answer: completedOr({ number: nullableText, ...cardFields }),
  },
  attributes: {
    kind: 'read',
    what: "Returns an account's attributes by name. Omits attributes that could not be computed.",
    question: z.object({ account: reference, names }),
    answer: completedOr({ values: boundedJson(z.record(z.string(), value.nullable()), MAX_ATTRIBUTES_LENGTH) }),
  },
  instrument: {
    kind: 'act',
    what: 'Creates an instrument that moves money from or to the account.',
    question: z.object({ account: reference, type: z.enum(['card', 'network_token', 'inbound_achwire_payment']) }),
    answer: completedOr({ chargeable: z.boolean(), data: boundedJson(z.record(z.string(), nullableText)) }),
  },
  vouch: {
    kind: 'read',
    what: 'Returns how the network verified a bank account; null if it did not. In that case, the account must be verified.',
    question: z.object({ routing: text, number: text }),
    answer: z.enum(vouchedTypes).nullable(),
  },
  deposit: {
    kind: 'act',
    what: 'Sends two micro-deposits to a bank account. `amounts` are in cents. `transfers`: the rail’s own ids of the deposits. `next_at`: the time at which to call `network/deposit_status`, in epoch milliseconds; absent if that is not needed.',
    question: z.object({ routing: text, number: text, amounts: z.tuple([cents, cents]) }),
    answer: z.discriminatedUnion('status', [
      z.object({ status: z.literal('sent'), transfers, next_at: time.exactOptional() }),
      failed,
    ]),
  },
  depositStatus: {
    kind: 'read',
    what: 'Returns whether one of the micro-deposits of this `request_id` came back; `code` is the rail’s own code for the return, such as `R03`. The verification then fails with 16004. `next_at`: the time to call again, in epoch milliseconds; null if no deposit can come back any more. Optional.',
    question: z.object({}),
    answer: z.discriminatedUnion('status', [
      z.object({ status: z.literal('sent'), next_at: time.nullable() }),
      z.object({ status: z.literal('returned'), code: returnCode }),
    ]),
    absent: { status: 'sent', next_at: null },
  },
  checkCard: {
    kind: 'check',
    what: 'Checks a card’s details in one of three ways: by its number and expiration date, with a refunded charge, or through the card network. Null fields are not checked.',
    question: z.object({
      account: reference,
      by: z.enum(cardChecks),
      number: text,
      exp_month: text,
      exp_year: text,
      cvv: nullableText,
      billing_zip_code: nullableText,
    }),
    answer: z.discriminatedUnion('status', [
      z.object({
        status: z.literal('checked'),
        number: z.boolean(),
        accepted: z.boolean(),
        checks: z.object({ exp: check, cvv: check, billing_zip_code: check }),
      }),
      failed,
    ]),
  },
  creditScore: {
    kind: 'read',
    what: 'Returns a person’s credit scores. `pending`: the service calls again after `again_in` milliseconds or, if that is absent, when the connector pushes.',
    question: z.object({ person: reference, monthly: z.boolean() }),
    answer: z.discriminatedUnion('status', [
      z.object({ status: z.literal('completed'), scores: z.array(score).max(20) }),
      z.object({ status: z.literal('pending'), again_in: z.int().min(1).max(86_400_000).optional() }),
      failed,
    ]),
  },
  identities: {
    kind: 'read',
    what: 'Returns every person who matches the details, or only the person that `person` identifies. Includes full Social Security numbers.',
    question: z.object({ person: reference.nullable(), details }),
    answer: completedOr({ identities: z.array(candidate).max(20) }),
  },
  entityAttributes: {
    kind: 'read',
    what: "Returns a person's attributes by name. `soft_inquiries` is for the sandbox.",
    question: z.object({ person: reference, names, soft_inquiries: z.int().min(0) }),
    answer: completedOr({
      attributes: boundedJson(
        z.record(z.string(), z.object({ value, metadata: freeForm.exactOptional() })),
        MAX_ATTRIBUTES_LENGTH,
      ),
    }),
  },
  vehicles: {
    kind: 'read',
    what: "Returns a person's vehicles.",
    question: person,
    answer: completedOr({ vehicles: z.array(vehicle).max(100) }),
  },
  ...creditReportMethods,
  changes: {
    kind: 'read',
    what: 'Returns about `limit` changes to an account or a person, oldest first. Includes only changes after both `since` (the previous answer’s cursor) and `from`, up to `until`. `next`: the time at which to expect more changes; if null, the service calls periodically. A change keeps its id, even if the status of a transaction changes.',
    question: z.object({
      kind: z.enum(['update', 'card', 'transaction', 'account']),
      of: reference,
      from: time,
      since: z.string().max(2_000).nullable(),
      until: time,
      limit: z.int().min(1),
    }),
    answer: completedOr({
      changes: z.array(change).max(1_000),
      cursor: z.string().max(2_000).nullable(),
      next: time.nullable(),
    }),
  },
  opened: {
    kind: 'read',
    what: 'Returns the liability accounts that a simulation opened in a test network. Other networks return an empty list.',
    question: z.object({
      person: reference,
      behaviours: z.array(z.object({ id: text, name: text })).max(1_000),
    }),
    answer: z.array(liability).max(1_000),
  },
  preauth: {
    kind: 'read',
    what: 'Returns what the network expects of a charge to a card. Either `account` or `card` is given. `ownership`: how the person matches the owner. `likelihood`: that the charge succeeds now, from 0 to 1. `retry_at`: the best time to try again, in epoch milliseconds. `unavailable`: the network has no such signals. Optional.',
    question: z.object({
      account: reference.nullable(),
      card: z
        .object({
          bin6: text,
          last4: text,
          first_name: nullableText,
          last_name: nullableText,
          phone: nullableText,
          zip: nullableText,
        })
        .nullable(),
      purchase: z.object({ amount: cents, mcc: text, ip_address: text, at: time }).nullable(),
    }),
    answer: z.discriminatedUnion('status', [
      z.object({
        status: z.literal('completed'),
        ownership: z.enum(ownershipResults),
        standing: z.enum(cardStandings).nullable(),
        likelihood: z.number().min(0).max(1).nullable(),
        retry_at: time.nullable(),
      }),
      failed,
      z.object({ status: z.literal('unavailable') }),
    ]),
    absent: { status: 'unavailable' },
  },
  link: {
    kind: 'act',
    what: 'Creates a page of the provider at which the person signs in to institutions. `name`: the person’s legal name; `network/discover` leaves out accounts of anyone else. After the page, the person continues at `return_url`. `repair`: an institution to sign in to again; absent to link more institutions. `expires_at`: the time at which the page stops working, in epoch milliseconds. `refused`: there is no page for this. Optional: only a connector whose `capabilities` say `discovery: link` needs it.',
    question: z.object({
      person: reference,
      name: nullableText,
      return_url: pageUrl,
      repair: reference.exactOptional(),
    }),
    answer: z.discriminatedUnion('status', [
      z.object({ status: z.literal('ready'), url: pageUrl, expires_at: time, link_id: reference }),
      z.object({ status: z.literal('refused') }),
    ]),
    absent: { status: 'refused' },
  },
  linked: {
    kind: 'read',
    what: 'Returns the institutions that the person has linked. With `link_id`, `waiting` means that the person is still at that page, and `left` that the person linked nothing there: the page was `closed` or `expired`, or it `failed`. `repair`: the person must sign in to the institution again. `name_mismatch`: one of its accounts is in another name. `accounts`: the references of its accounts, as `network/discover` returns them. Optional, like `network/link`.',
    question: z.object({ person: reference, link_id: reference.exactOptional() }),
    answer: z.discriminatedUnion('status', [
      z.object({ status: z.literal('waiting') }),
      z.object({
        status: z.literal('linked'),
        institutions: z
          .array(
            z.object({
              id: reference,
              name: text,
              status: z.enum(['ok', 'repair', 'name_mismatch']),
              accounts: z.array(reference).max(1_000),
            }),
          )
          .max(100),
      }),
      z.object({ status: z.literal('left'), reason: z.enum(['closed', 'expired', 'failed']) }),
    ]),
    absent: { status: 'linked', institutions: [] },
  },
  unlink: {
    kind: 'act',
    what: 'Disconnects an institution at the provider, so that its accounts can no longer be read. An institution that is not linked counts as disconnected. Optional, like `network/link`.',
    question: z.object({ person: reference, institution: reference }),
    answer: z.object({ status: z.literal('unlinked') }),
    absent: { status: 'unlinked' },
  },
} satisfies Methods<Network>

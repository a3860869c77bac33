/** Schemas shared by several methods in the contract. */
import { type ErrorSubType, type ResourceErrorCode, resourceErrors } from '@causeway/contract/errors'
import { freeForm } from '@causeway/contract/free-form'
import { text as matching } from '@causeway/contract/text'
import { z } from 'zod'

export const text = z.string().max(1_000)
export const nullableText = text.nullable()
export const cents = z.int().min(0)
/** An id from the connector, which the service stores and sends back. */
export const reference = z.string().min(1).max(200)
/** Epoch milliseconds. */
export const time = z.int()
export const day = matching({ max: 10, pattern: /^\d{4}-\d\d-\d\d$/, error: 'must be a day in the format YYYY-MM-DD' })

/** Error codes that only the service sets, for verification sessions and webhooks. */
const serviceOnly = /^(?:19|25)/
/** The codes that a connector can use to report a failure. */
export const failureCodes = Object.keys(resourceErrors)
  .filter(each => !serviceOnly.test(each))
  .map(Number) as [ResourceErrorCode, ...ResourceErrorCode[]]
/** The code for a failure. */
export const failureCode = z.literal(failureCodes).meta({ id: 'code' })
export const failed = z.object({ status: z.literal('failed'), code: failureCode })

const codesOf = (range: RegExp) => failureCodes.filter(each => range.test(String(each)))
/** The reason that a rail rejected a payment. 10004 cancels the payment; the other codes make it fail. */
export const paymentRefusal = z.literal(codesOf(/^100..$/)).meta({ id: 'payment_refusal' })
/** The reason that an accepted payment failed or was returned. */
export const paymentFailure = z.literal(codesOf(/^100(?!04)..$/)).meta({ id: 'payment_failure' })
/** The reason that a reversal failed. */
export const reversalFailure = z.literal(codesOf(/^14...$/)).meta({ id: 'reversal_failure' })

/** An answer that is either `completed`, with the given fields, or `failed`. */
export const completedOr = <T extends z.ZodRawShape>(shape: T) =>
  z.discriminatedUnion('status', [z.object({ status: z.literal('completed'), ...shape }), failed])

/** The errors that a rail can return to reject a payment before it is created. */
export const railRefusals = [
  'INSUFFICIENT_FUNDS',
  'MAX_AMOUNT_EXCEEDED',
  'MAX_REQUEST_LIMIT',
  'PAYMENT_REFUSED_BY_RAIL',
] as const satisfies readonly ErrorSubType[]

export const cardFields = {
  exp_month: matching({ max: 2, pattern: /^\d\d$/, error: 'must be two digits' }).nullable(),
  exp_year: matching({ max: 4, pattern: /^\d{4}$/, error: 'must be four digits' }).nullable(),
  billing_zip_code: nullableText,
}

export const liability = z
  .object({
    reference,
    mch_id: text,
    type: text,
    sub_type: nullableText,
    name: text,
    mask: nullableText,
    ownership: z.enum(['primary', 'authorized', 'joint', 'unknown']),
    fingerprint: matching({ max: 40, pattern: /^[0-9a-f]{40}$/, error: 'must be 40 hexadecimal digits' }),
    status: z.enum(['active', 'closed']),
    payable: z.enum(['yes', 'needs_number', 'no']),
    supports: z.array(text).max(50),
    number: nullableText,
    card: z.object(cardFields).nullable(),
  })
  .meta({ id: 'liability' })

export const details = z
  .object({
    first_name: nullableText,
    last_name: nullableText,
    phone: nullableText,
    dob: nullableText,
    ssn: nullableText,
    ssn_4: nullableText,
    address: z.object({
      line1: nullableText,
      line2: nullableText,
      city: nullableText,
      state: nullableText,
      zip: nullableText,
    }),
  })
  .meta({ id: 'details' })

const providers = z.array(text).max(100)
export const merchant = z
  .object({
    id: text,
    parent_name: text,
    name: text,
    type: text,
    logo: text,
    provider_ids: z.object({ plaid: providers, mx: providers, finicity: providers, dpp: providers }),
    is_temp: z.boolean(),
    account_number_formats: z.array(text).max(100),
    creditor_names: z.array(text).max(1_000),
  })
  .meta({ id: 'merchant' })

export const bureau = z
  .object({
    /**
     * The consent screen shows this name. The service ignores a bureau whose name it can't show, but a name that is too
     * long must not make the tables unusable.
     */
    name: z.string().max(10_000),
    phone: text.nullable(),
    url: z
      .string()
      .max(2_000, { abort: true })
      .check(z.url({ protocol: /^https$/ }))
      .nullable(),
  })
  .meta({ id: 'bureau' })

export const cardProduct = z
  .object({
    id: text,
    name: text,
    issuer: text,
    type: z.enum(['specific', 'generic', 'in_review']),
    brands: z
      .array(
        z.object({
          id: text,
          description: text,
          network: z.enum(['visa', 'mastercard', 'amex', 'discover']),
          network_tier: text,
          image: text,
          details: freeForm.nullable(),
        }),
      )
      .max(1_000),
    created_at: text,
    updated_at: text,
  })
  .meta({ id: 'card_product' })

const bankAccountType = z.enum(['checking', 'savings', 'loan'])

/** The route by which payments reach a destination that is a liability account. */
const payee = z
  .discriminatedUnion('route', [
    z.object({
      route: z.literal('ach'),
      routing: text,
      account: text,
      account_type: bankAccountType.exactOptional(),
      sec: z.enum(['ccd', 'ctx', 'ppd']),
      addenda: text.exactOptional(),
    }),
    z.object({
      route: z.literal('check'),
      name: text,
      address: z.object({ line1: text, line2: nullableText, city: text, state: text, zip: text }),
      memo: text,
    }),
    z.object({ route: z.literal('card_push') }),
  ])
  .meta({ id: 'payee' })

const railReturn = z.object({ code: text, at: time, trace: nullableText }).meta({ id: 'return' })
const noticeOfChange = z.object({ code: text, at: time }).meta({ id: 'noc' })
const correction = z
  .object({
    routing: text.exactOptional(),
    number: text.exactOptional(),
    account_type: bankAccountType.exactOptional(),
  })
  .meta({ id: 'correction' })

/** The rail's own word for a return, and the details that later payments must use. */
export const returnFields = {
  returned_as: railReturn.nullable().exactOptional(),
  noc: noticeOfChange.nullable().exactOptional(),
  corrected: correction.nullable().exactOptional(),
}

/** The rail's own ids of what it did, by which the lines of its statement name it. */
export const transfers = z.array(z.string().min(1).max(200)).max(20).exactOptional()

export const railAccount = z
  .object({
    id: text,
    type: z.enum(['ach', 'liability']),
    routing: nullableText,
    number: nullableText,
    reference: nullableText,
    mch_id: nullableText,
    holder: z.object({ name: text, kind: z.enum(['person', 'business']) }).exactOptional(),
    account_type: z.enum(['checking', 'savings']).exactOptional(),
    payee: payee.exactOptional(),
    card: z.object({ exp_month: text, exp_year: text }).exactOptional(),
  })
  .meta({ id: 'rail_account' })

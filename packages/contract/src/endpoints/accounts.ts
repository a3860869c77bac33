import { z } from 'zod'
import { account } from '../resources/account.js'
import { liabilityTypes } from '../resources/liability.js'
import { accountVerificationSession } from '../resources/verification.js'
import { consentInput, type Endpoint, expand, type Family, metadataInput, paging } from './endpoint.js'
import { withdrawnAccount } from './entity-examples.js'
import * as examples from './examples.js'
import { accountFields } from './expandable.js'

const accountNumber = z
  .string()
  .regex(/^\d{4,25}$/)
  .describe('Spaces and dashes are fine too')
const month = z.string().regex(/^(0[1-9]|1[0-2])$/)
const year = z.string().regex(/^\d{4}$/)
const cvv = z.string().regex(/^\d{3,4}$/)
const zip = z.string().regex(/^\d{5}$/)

const expandAccount = expand(accountFields as unknown as [string, ...string[]])
const includePending = {
  include_pending_consent: z
    .boolean()
    .describe('Whether accounts are shown too whose holder has yet to say that they are shared'),
}

const accounts: Endpoint[] = [
  {
    method: 'POST',
    path: '/accounts',
    summary: 'Create an ach account, or name a debt',
    description:
      'Send `ach` or `liability`. Debts are found by connect; one can also be named by its merchant and number. An ach account that the network vouches for, as in the sandbox, is verified at once. A debt that the holder has already is answered as it is; `metadata` is kept where it had none.',
    body: z.object({
      holder_id: z.string(),
      type: z.enum(['ach', 'liability']).optional(),
      ach: z
        .object({
          routing: z
            .string()
            .regex(/^\d{9}$/)
            .describe('Nine digits with a correct check digit'),
          number: z.string().regex(/^\d{4,17}$/),
          type: z.enum(['checking', 'savings']),
        })
        .optional(),
      liability: z
        .object({
          mch_id: z.string(),
          account_number: accountNumber.optional(),
          number: accountNumber.optional().describe('Another name of account_number'),
          credit_card: z
            .object({
              exp_month: month,
              exp_year: year,
              cvv: cvv.nullable().optional().describe('Never kept'),
              billing_zip_code: zip.nullable().optional(),
            })
            .nullable()
            .optional(),
        })
        .optional(),
      metadata: metadataInput,
    }),
    answer: account,
    errors: [
      'INVALID_HOLDER_ID',
      'INVALID_ACH_ACCOUNT_ROUTING',
      'INVALID_ACH_ACCOUNT_NUMBER',
      'INVALID_ACH_ACCOUNT_TYPE',
      'INVALID_MERCHANT_ID',
      'INVALID_ACCOUNT_NUMBER',
      'INVALID_ACCOUNT_DETAILS',
      'EXISTING_ACCOUNT_DISABLED',
      'MAX_ACCOUNT_METADATA_SIZE_EXCEEDED',
    ],
    example: { request: { holder_id: examples.ach.holder_id, ach: examples.ach.ach }, answer: examples.ach },
  },
  {
    method: 'GET',
    path: '/accounts',
    summary: 'List accounts',
    query: {
      ...paging,
      ...expandAccount,
      holder_id: z.string(),
      'holder_ids[]': z.array(z.string()).describe('Accounts of any of these'),
      type: z.enum(['ach', 'liability']),
      consent_status: z.enum(['approved', 'withdrawn', 'pending']),
      ...includePending,
      status: z.enum(['active', 'processing', 'disabled', 'closed']),
      'liability.mch_id': z.string(),
      'liability.type': z.enum(liabilityTypes),
      'liability.ownership': z.enum(['primary', 'authorized', 'joint', 'unknown']),
    },
    answer: account,
    shape: 'list',
    example: { answer: [examples.liability] },
  },
  {
    method: 'GET',
    path: '/accounts/:acc_id',
    summary: 'Retrieve an account',
    query: { ...expandAccount, ...includePending },
    answer: account,
    example: { answer: examples.liability },
  },
  {
    method: 'PUT',
    path: '/accounts/:acc_id',
    summary: 'Update an account',
    description:
      "Its metadata, a card's number (which the institution is asked for) or expiry, or where a mortgage's house is.",
    body: z.object({
      metadata: metadataInput,
      liability: z
        .object({
          mortgage: z
            .object({
              address_street: z.string().nullable(),
              address_city: z.string().nullable(),
              address_state: z.string().nullable(),
              address_zip: zip.nullable(),
            })
            .partial()
            .optional(),
          credit_card: z
            .object({ number: accountNumber, expiration_month: month, expiration_year: year, cvv })
            .partial()
            .optional(),
        })
        .optional(),
    }),
    answer: account,
    errors: ['INVALID_ACCOUNT_NUMBER', 'MAX_ACCOUNT_METADATA_SIZE_EXCEEDED'],
    example: { request: { metadata: {} }, answer: { ...examples.liability, metadata: {} } },
  },
  {
    method: 'POST',
    path: '/accounts/:acc_id/consent',
    summary: 'Withdraw consent',
    description:
      'Deletes what is known of the account and disables it. It cannot be granted again: connect its holder.',
    body: consentInput('holder_withdrew_consent'),
    answer: account,
    errors: ['ACCOUNT_CONSENT_ALREADY_WITHDRAWN', 'ACCOUNT_CONSENT_ALREADY_GRANTED', 'ACCOUNT_HAS_PAYMENT_IN_PROGRESS'],
    example: { request: { type: 'withdraw', reason: 'holder_withdrew_consent' }, answer: withdrawnAccount },
  },
]

const path = '/accounts/:acc_id/verification_sessions'

const card = { number: accountNumber, exp_month: month, exp_year: year }
const money = z.record(z.string(), z.unknown())
const linked = z.array(z.record(z.string(), z.unknown())).max(1_000)
const answers = {
  standard: z.object({ number: accountNumber }),
  instant: z.object(card).partial(),
  pre_auth: z.object({ ...card, cvv, billing_zip_code: zip }).partial(),
  network: z.object({ ...card, cvv, billing_zip_code: zip }).partial(),
  micro_deposits: z.object({ amounts: z.array(z.int().min(1)).length(2).describe('Cents, in either order') }),
  plaid: z.object({ balances: money, transactions: linked }),
  mx: z.object({ account: money, transactions: linked }),
  teller: z.object({ balances: money, transactions: linked }),
}
const types = Object.keys(answers) as [string, ...string[]]

const amounts = (base: string): Endpoint => ({
  method: 'GET',
  path: `${base}${path}/:id/amounts`,
  summary: 'The amounts of micro-deposits, as a statement would show them',
  sandbox: true,
  answer: z.object({ amounts: z.array(z.int()).describe('Two, in cents') }),
  example: { answer: { amounts: [32, 81] } },
})

/** The same by its path under `/simulate`. */
export const simulatedAmounts = amounts('/simulate')

const sessions: Endpoint[] = [
  {
    method: 'POST',
    path,
    summary: 'Begin to verify an account',
    description:
      'An ach account by `micro_deposits`, `plaid`, `mx` or `teller`; a debt by `standard`, its number; a credit card by `instant`, `pre_auth` or `network` too, what stands on it. `network` opens transactions and payment instruments.',
    body: z.object({ type: z.enum(types) }),
    answer: accountVerificationSession,
    errors: ['VERIFICATION_TYPE_NOT_SUPPORTED', 'EXISTING_VERIFIED_SESSION', 'EXISTING_VERIFICATION_SESSION'],
    example: { request: { type: 'standard' }, answer: examples.accountSession },
  },
  {
    method: 'GET',
    path,
    summary: "List an account's verification sessions",
    query: paging,
    answer: accountVerificationSession,
    shape: 'list',
    example: { answer: [examples.accountSession] },
  },
  {
    method: 'GET',
    path: `${path}/:id`,
    summary: 'Retrieve a verification session',
    answer: accountVerificationSession,
    example: { answer: examples.accountSession },
  },
  {
    method: 'PUT',
    path: `${path}/:id`,
    summary: 'Answer a verification session',
    description:
      'With the block of its type. Of a card only what is null or failed has to be given. Five tries; what is no answer (400), or could not be checked (503), is none. A verification value is never kept.',
    body: z.object(answers).partial(),
    answer: accountVerificationSession,
    errors: [
      'INVALID_VERIFICATION_STATUS',
      'INVALID_VERIFICATION_AMOUNTS',
      'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED',
      'PRODUCT_UNAVAILABLE',
      'EXISTING_VERIFIED_SESSION',
      'VERIFICATION_TYPE_NOT_SUPPORTED',
    ],
    example: {
      request: { standard: { number: '4111111111111111' } },
      answer: { ...examples.accountSession, status: 'verified', standard: { number: 'xxxxxxxxxxxxxxxx' } },
    },
  },
  amounts(''),
]

export const accountFamily: Family = {
  name: 'Accounts',
  about: 'Debts that were found for a person, and ach accounts that pay.',
  endpoints: accounts,
}

export const accountSessionFamily: Family = {
  name: 'Account verification',
  about: 'Proofs that an account is its holder’s, and that what is known of it is right.',
  endpoints: sessions,
}

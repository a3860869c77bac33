import { z } from 'zod'
import { cvv, month, numberText, year, zip } from '../account-details.js'
import { consentInput, endpoint, expand, type Family, metadataInput, paging } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { withdrawnAccount } from '../declaration/withdrawn-examples.js'
import { liabilityTypes } from '../fields/liability.js'
import { unreadBlock } from '../free-form.js'
import { accountMethodAnswers, accountMethods } from '../methods/of-accounts.js'
import { standardMethod } from '../methods/standard.js'
import { accountVerificationSession } from '../methods/verification.js'
import { account } from '../products/account.js'
import { accountFields } from '../products/of-accounts.js'
import { idText, text } from '../text.js'
import { achNumberPattern, isRouting } from '../values/routing.js'
import { stateInput, zipInput } from './entities.js'

/** An account number as people type it. Only its digits are stored. */
const accountNumber = numberText('INVALID_ACCOUNT_NUMBER', 'INVALID_ACCOUNT_NUMBER')
const line = z.string().min(1).max(200).nullable()

const ach = z.object({
  routing: z
    .string('INVALID_ACH_ACCOUNT_ROUTING')
    .max(9, { error: 'INVALID_ACH_ACCOUNT_ROUTING', abort: true })
    .refine(isRouting, 'INVALID_ACH_ACCOUNT_ROUTING')
    .meta({ pattern: '^\\d{9}$', description: 'Nine digits with a correct check digit' }),
  number: text({
    max: 17,
    pattern: achNumberPattern,
    error: 'INVALID_ACH_ACCOUNT_NUMBER',
    typeError: 'INVALID_ACH_ACCOUNT_NUMBER',
  }),
  type: z.enum(['checking', 'savings'], 'INVALID_ACH_ACCOUNT_TYPE'),
})

const liability = z
  .object({
    mch_id: z.string().max(64),
    account_number: accountNumber.nullish().describe('4 to 25 digits. Spaces and dashes are ignored'),
    number: accountNumber.nullish().describe('An alias of account_number'),
    credit_card: z
      .object({
        exp_month: month,
        exp_year: year,
        cvv: cvv.nullish().describe('Never stored'),
        billing_zip_code: zip.nullish(),
      })
      .nullish(),
  })
  .refine(
    ({ account_number, number }) => [account_number, number].filter(each => each != null).length === 1,
    'Send exactly one of liability.account_number and liability.number.',
  )

const expandAccount = expand(accountFields)
const includePending = {
  include_pending_consent: z.boolean().describe('If true, includes accounts awaiting consent from their holder'),
}

export const accounts = {
  createAccount: endpoint({
    method: 'POST',
    path: '/accounts',
    summary: 'Create an ACH or liability account',
    description:
      'Send either `ach` or `liability`. Connect finds liability accounts, but you can also create one from its merchant and number. If the network has already verified an ACH account, as it does in the sandbox, the account is verified immediately. If the holder already has the liability account, the service returns it and stores `metadata` only if the account has none.',
    body: z
      .object({
        holder_id: idText,
        type: z.enum(['ach', 'liability']).optional(),
        ach: ach.nullish(),
        liability: liability.nullish(),
        metadata: metadataInput('MAX_ACCOUNT_METADATA_SIZE_EXCEEDED'),
      })
      .refine(
        ({ type, ach, liability }) =>
          Boolean(ach) !== Boolean(liability) && (type ?? (ach ? 'ach' : 'liability')) === (ach ? 'ach' : 'liability'),
        'Send either ach with routing, number and type, or liability with mch_id and account_number.',
      ),
    answer: account,
    errors: [
      'INVALID_HOLDER_ID',
      'INVALID_MERCHANT_ID',
      'INVALID_ACCOUNT_DETAILS',
      'EXISTING_ACCOUNT_DISABLED',
      'TEAM_CAPABILITY_RESTRICTED',
    ],
    example: { request: { holder_id: examples.ach.holder_id, ach: examples.ach.ach }, answer: examples.ach },
  }),
  listAccounts: endpoint({
    method: 'GET',
    path: '/accounts',
    summary: 'List accounts',
    query: {
      ...paging,
      ...expandAccount,
      holder_id: z.string(),
      'holder_ids[]': z.array(z.string()).describe('Only accounts of these holders'),
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
  }),
  retrieveAccount: endpoint({
    method: 'GET',
    path: '/accounts/:acc_id',
    summary: 'Retrieve an account',
    query: { ...expandAccount, ...includePending },
    answer: account,
    example: { answer: examples.liability },
  }),
  updateAccount: endpoint({
    method: 'PUT',
    path: '/accounts/:acc_id',
    summary: 'Update an account',
    description:
      "Updates the metadata, a card's number (which the institution verifies), a card's expiration date, or a mortgage's property address.",
    body: z.object({
      metadata: metadataInput('MAX_ACCOUNT_METADATA_SIZE_EXCEEDED'),
      liability: z
        .object({
          mortgage: z
            .object({
              address_street: line,
              address_city: line,
              address_state: stateInput.nullable(),
              address_zip: zipInput.nullable(),
            })
            .partial()
            .optional(),
          credit_card: z
            .object({ number: accountNumber, expiration_month: month, expiration_year: year, cvv })
            .partial()
            .refine(
              ({ number, ...expiry }) =>
                number === undefined || Object.values(expiry).every(value => value === undefined),
              'Send either liability.credit_card.number or the expiration date, not both.',
            )
            .refine(
              ({ number, expiration_month, expiration_year }) =>
                number !== undefined || (expiration_month !== undefined && expiration_year !== undefined),
              'Send liability.credit_card.expiration_month together with expiration_year.',
            )
            .optional(),
        })
        .refine(
          ({ mortgage, credit_card }) => !(mortgage && credit_card),
          'Send liability.mortgage or liability.credit_card, not both.',
        )
        .optional(),
    }),
    answer: account,
    example: { request: { metadata: {} }, answer: { ...examples.liability, metadata: {} } },
  }),
  changeAccountConsent: endpoint({
    method: 'POST',
    path: '/accounts/:acc_id/consent',
    summary: 'Withdraw consent',
    description:
      'Deletes the account data and disables the account. After that, you cannot grant consent for the account again. Connect the holder again instead.',
    body: consentInput('holder_withdrew_consent'),
    answer: account,
    errors: ['ACCOUNT_CONSENT_ALREADY_WITHDRAWN', 'ACCOUNT_CONSENT_ALREADY_GRANTED', 'ACCOUNT_HAS_PAYMENT_IN_PROGRESS'],
    example: { request: { type: 'withdraw', reason: 'holder_withdrew_consent' }, answer: withdrawnAccount },
  }),
}

const path = '/accounts/:acc_id/verification_sessions'

const types = Object.keys(accountMethodAnswers)

export const sessions = {
  createAccountVerificationSession: endpoint({
    method: 'POST',
    path,
    summary: 'Create an account verification session',
    description:
      'Verify an ACH account with `micro_deposits`, `plaid`, `mx` or `teller`. Verify a liability account with `standard`, which checks its number. You can also verify a credit card with `instant`, `pre_auth` or `network`, which check the details on the card. `network` enables transactions and payment instruments.',
    body: z.object({
      type: z
        .string()
        .max(64, { error: 'VERIFICATION_TYPE_NOT_SUPPORTED', abort: true })
        .refine(type => types.includes(type), 'VERIFICATION_TYPE_NOT_SUPPORTED')
        .meta({ enum: types }),
      ...Object.fromEntries(types.map(type => [type, unreadBlock.optional()])),
    }),
    answer: accountVerificationSession,
    errors: [
      'EXISTING_VERIFIED_SESSION',
      'EXISTING_VERIFICATION_SESSION',
      'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED',
    ],
    example: { request: { type: 'standard' }, answer: examples.accountSession },
  }),
  listAccountVerificationSessions: endpoint({
    method: 'GET',
    path,
    summary: "List an account's verification sessions",
    query: paging,
    answer: accountVerificationSession,
    shape: 'list',
    example: { answer: [examples.accountSession] },
  }),
  retrieveAccountVerificationSession: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    summary: 'Retrieve a verification session',
    answer: accountVerificationSession,
    example: { answer: examples.accountSession },
  }),
  updateAccountVerificationSession: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    summary: 'Update a verification session',
    description:
      'Send the block for the session type. For a card, send only the fields that are null or have failed. A session allows five attempts. Requests that are invalid (400) or could not be checked (503) do not count as attempts. Card verification values are never stored.',
    body: z.object(accountMethodAnswers).partial(),
    answer: accountVerificationSession,
    errors: [
      'INVALID_VERIFICATION_STATUS',
      'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED',
      'PRODUCT_UNAVAILABLE',
      'EXISTING_VERIFIED_SESSION',
      'VERIFICATION_TYPE_NOT_SUPPORTED',
    ],
    example: {
      request: { standard: standardMethod.example.answer },
      answer: { ...examples.accountSession, status: 'verified', standard: standardMethod.example.block },
    },
  }),
}

export const accountFamily: Family = {
  name: 'Accounts',
  about: "A person's liability accounts, and the ACH accounts used to pay them.",
  endpoints: accounts,
}

export const accountSessionFamily: Family = {
  name: 'Account verification',
  about: 'Verify that an account belongs to its holder and that its details are correct.',
  endpoints: Object.assign({}, sessions, ...accountMethods.map(({ endpoints }) => endpoints)),
}

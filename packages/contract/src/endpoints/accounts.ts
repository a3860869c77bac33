import { z } from 'zod'
import { account } from '../resources/account.js'
import { liabilityTypes } from '../resources/liability.js'
import { accountVerificationSession } from '../resources/verification.js'
import { consentInput, type Endpoint, expand, type Family, metadataInput, paging } from './endpoint.js'
import { withdrawnAccount } from './entity-examples.js'
import * as examples from './examples.js'
import { accountFields } from './expandable.js'

const expandAccount = expand(accountFields as unknown as [string, ...string[]])

const accounts: Endpoint[] = [
  {
    method: 'POST',
    path: '/accounts',
    summary: 'Create an ach account',
    description: 'Debts are found by connect. In the sandbox an ach account is verified at once.',
    body: z.object({
      holder_id: z.string(),
      type: z.enum(['ach']).optional(),
      ach: z.object({
        routing: z
          .string()
          .regex(/^\d{9}$/)
          .describe('Nine digits with a correct check digit'),
        number: z.string().regex(/^\d{4,17}$/),
        type: z.enum(['checking', 'savings']),
      }),
      metadata: metadataInput,
    }),
    answer: account,
    errors: [
      'INVALID_HOLDER_ID',
      'INVALID_ACH_ACCOUNT_ROUTING',
      'INVALID_ACH_ACCOUNT_NUMBER',
      'INVALID_ACH_ACCOUNT_TYPE',
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
      type: z.enum(['ach', 'liability']),
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
    query: expandAccount,
    answer: account,
    example: { answer: examples.liability },
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

const sessions: Endpoint[] = [
  {
    method: 'POST',
    path,
    summary: "Begin to verify an account's number",
    body: z.object({ type: z.enum(['standard']) }),
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
    description: 'With the full number. The issuer is asked; a verified account can be paid. Five tries.',
    body: z.object({
      standard: z.object({
        number: z
          .string()
          .regex(/^\d{4,25}$/)
          .describe('Spaces and dashes are fine too'),
      }),
    }),
    answer: accountVerificationSession,
    errors: [
      'INVALID_VERIFICATION_STATUS',
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
]

export const accountFamily: Family = {
  name: 'Accounts',
  about: 'Debts that were found for a person, and ach accounts that pay.',
  endpoints: accounts,
}

export const accountSessionFamily: Family = {
  name: 'Account verification',
  about: 'Proofs that a number is that of the account.',
  endpoints: sessions,
}

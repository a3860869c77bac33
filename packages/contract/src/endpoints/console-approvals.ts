/** Endpoints of the console's own listener for requests that wait for a second person. They are not part of the API. */
import { z } from 'zod'
import { endpoint } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { reason } from '../fields/reason.js'
import { timestamp } from '../fields/shared.js'
import { MAX_AMOUNT } from '../money.js'
import { paymentStatuses } from '../resources/payment.js'

/** The actions that need a second person. */
export const approvalActions = [
  'payment.create',
  'loan.release',
  'reversal.approve',
  'limits.change',
  'payments.start',
  'approvals.change',
] as const

const approvalStatuses = ['waiting', 'approved', 'failed', 'declined', 'withdrawn', 'expired'] as const

/** Why a user can't approve or decline a request. */
export const approvalRefusals = ['asked_it', 'no_permission', 'no_name', 'invited_by_asker'] as const

const person = z.object({
  id: z.string().describe('The id of a user, a key or a session'),
  name: z.string().nullable().describe('Null for a key, and for an operator without a name'),
})

const approval = z.object({
  id: z.string(),
  action: z.enum(approvalActions),
  status: z.enum(approvalStatuses),
  resource_id: z
    .string()
    .nullable()
    .describe('The payment, session or team that the request changes. For a new payment, its id once it was created'),
  session_id: z.string().nullable().describe('The session whose payments the request creates'),
  entity: z
    .object({ id: z.string(), name: z.string().nullable() })
    .nullable()
    .describe('The person whose debts the request pays, or paid'),
  payment_status: z
    .enum(paymentStatuses)
    .nullable()
    .describe('The current status of the payment that an approved request created, or whose reversal it approved'),
  amount: z.int().nullable().describe('In cents; null if the request moves no money'),
  changes: z
    .array(z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
    .describe('The values that the request changes. Null means no value'),
  request: z.object({ method: z.string(), path: z.string(), body: z.record(z.string(), z.unknown()) }),
  reason: z.string().describe('Why the person asked'),
  asked_by: person,
  decided_by: person.nullable().describe('Who approved, declined or withdrew it'),
  decline_reason: z.string().nullable(),
  error: z.string().nullable().describe('Why the approved request failed'),
  can: z.object({ approve: z.boolean(), withdraw: z.boolean() }).describe('What the user who sent the request can do'),
  why_not: z.enum(approvalRefusals).nullable().describe("Why the user can't approve or decline it"),
  created_at: timestamp,
  expires_at: timestamp,
  decided_at: timestamp.nullable(),
})

const settings = z.object({
  approve_above: z
    .int()
    .nullable()
    .describe('Amounts above this need a second person, in cents; null if nothing needs one'),
})

const id = 'capr_4kYq8ZbT1mXd5'
const example = {
  id,
  action: 'reversal.approve',
  status: 'waiting',
  resource_id: examples.payment.id,
  session_id: null,
  entity: { id: examples.liability.holder_id, name: 'Kevin Doyle' },
  payment_status: null,
  amount: 5000,
  changes: [],
  request: {
    method: 'PUT',
    path: `/payments/${examples.payment.id}/reversals/${examples.reversal.id}`,
    body: { status: 'pending' },
  },
  reason: 'The card account is closed',
  asked_by: { id: 'cusr_4kYq8ZbT1mXd5', name: 'Ines Farrow' },
  decided_by: null,
  decline_reason: null,
  error: null,
  can: { approve: true, withdraw: false },
  why_not: null,
  created_at: examples.times.created_at,
  expires_at: examples.times.updated_at,
  decided_at: null,
} as const
const decided = {
  ...example,
  decided_by: { id: 'cusr_5kYq8ZbT1mXd5', name: 'Ben Okafor' },
  can: { approve: false, withdraw: false },
  decided_at: examples.times.updated_at,
}

export const consoleApprovals = {
  listApprovals: endpoint({
    method: 'GET',
    path: '/console/approvals',
    summary: 'List requests that need a second person',
    description: 'Each page has at most 50 requests, newest first.',
    query: {
      status: z.enum(['waiting', 'all']).describe('Default: `waiting`'),
      resource_id: z.string().describe('Only requests that change this payment, session or team'),
      session_id: z.string().describe('Only requests that create payments of this session'),
      page_cursor: z.string().describe('The `next_cursor` of the previous page'),
    },
    answer: z.object({
      data: z.array(approval),
      next_cursor: z.string().nullable().describe('The `page_cursor` of the next page; null on the last page'),
    }),
    errors: ['INVALID_SEARCH_PARAMETERS'],
    example: { answer: { data: [example], next_cursor: null } },
  }),
  retrieveApproval: endpoint({
    method: 'GET',
    path: '/console/approvals/:capr_id',
    summary: 'Retrieve a request that needs a second person',
    answer: approval,
    errors: ['NOT_FOUND'],
    example: { answer: example },
  }),
  approveRequest: endpoint({
    method: 'POST',
    path: '/console/approvals/:capr_id/approve',
    summary: 'Approve a request, which runs it',
    description:
      "Needs the permission for the request, and another person than the person who asked. The request runs once, with the asker's Idempotency-Key. If the service rejects it, its status is `failed`.",
    answer: approval,
    errors: ['NOT_FOUND', 'INVALID_STATUS'],
    example: { answer: { ...decided, status: 'approved' } },
  }),
  declineRequest: endpoint({
    method: 'POST',
    path: '/console/approvals/:capr_id/decline',
    summary: 'Decline a request',
    body: z.object({ reason }),
    answer: approval,
    errors: ['NOT_FOUND', 'INVALID_STATUS'],
    example: {
      request: { reason: 'The bank will pay it again' },
      answer: { ...decided, status: 'declined', decline_reason: 'The bank will pay it again' },
    },
  }),
  withdrawRequest: endpoint({
    method: 'POST',
    path: '/console/approvals/:capr_id/withdraw',
    summary: 'Withdraw your own request',
    answer: approval,
    errors: ['NOT_FOUND', 'INVALID_STATUS'],
    example: { answer: { ...decided, decided_by: example.asked_by, status: 'withdrawn' } },
  }),
  retrieveApprovalSettings: endpoint({
    method: 'GET',
    path: '/console/approval_settings',
    summary: 'Retrieve what needs a second person',
    answer: settings,
    example: { answer: { approve_above: 100_000 } },
  }),
  updateApprovalSettings: endpoint({
    method: 'POST',
    path: '/console/approval_settings',
    summary: 'Change what needs a second person',
    description:
      'Needs the `settings` permission. A higher amount, or null, needs a second person itself. A lower amount takes effect at once.',
    body: z.object({
      approve_above: z
        .int('must be a whole number of cents, or null')
        .min(0, 'must be 0 or more')
        .max(MAX_AMOUNT, `must be at most ${MAX_AMOUNT} cents`)
        .nullable(),
    }),
    answer: settings,
    example: { request: { approve_above: 100_000 }, answer: { approve_above: 100_000 } },
  }),
}

/** Scenes for the requests that need a second person. */
import type { Approval } from '../../src/shapes.js'
import { failure, type Replies, reply } from '../fake.js'
import { chase, discover, operating, reserve, reserveSource, returnedPayment, reversal } from '../fixtures/money.js'
import { corwin, opal, session, tamsin, userOf } from '../fixtures/people.js'
import type { Scene } from '../mount.js'

const ines = { id: 'cusr_4kYi8ZbT1mXcW', name: 'Ines Farrow' }
const juno = { id: 'cusr_4kYi8ZbT1mXcV', name: 'Juno Whitlock' }

/** Returns a reversal that a colleague asked for, and that the signed-in user can approve. */
export const approval = (over: Partial<Approval> = {}): Approval => ({
  id: 'capr_4kYq8ZbT1mXd5',
  action: 'reversal.approve',
  status: 'waiting',
  resource_id: returnedPayment.id,
  session_id: null,
  entity: { id: corwin.id, name: 'Corwin Ashe' },
  amount: reversal.amount,
  payment_status: null,
  changes: [],
  request: {
    method: 'PUT',
    path: `/payments/${returnedPayment.id}/reversals/${reversal.id}`,
    body: { status: 'pending' },
  },
  reason: 'Discover closed the card. The lender takes the money back',
  asked_by: ines,
  decided_by: null,
  decline_reason: null,
  error: null,
  can: { approve: true, withdraw: false },
  why_not: null,
  created_at: '2026-03-03T14:20:00.000Z',
  expires_at: '2026-03-10T14:20:00.000Z',
  decided_at: null,
  ...over,
})
const decided = (status: Approval['status'], over: Partial<Approval> = {}) =>
  approval({
    status,
    decided_by: juno,
    decided_at: '2026-03-03T14:31:00.000Z',
    can: { approve: false, withdraw: false },
    ...over,
  })
const own = approval({
  id: 'capr_4kYq8ZbT1mXd6',
  asked_by: juno,
  can: { approve: false, withdraw: true },
  why_not: 'asked_it',
})
const payment: Partial<Approval> = {
  action: 'payment.create',
  request: { method: 'POST', path: '/payments', body: { source: operating.id, destination: discover.id } },
}
export const release = approval({
  id: 'capr_4kYq8ZbT1mXd7',
  action: 'loan.release',
  resource_id: 'osess_4kYx7RfM2hWpS',
  session_id: 'osess_4kYx7RfM2hWpS',
  entity: { id: tamsin.id, name: 'Tamsin Rowe' },
  amount: 775_060,
  request: {
    method: 'POST',
    path: '/opal/sessions/osess_4kYx7RfM2hWpS',
    body: { action: 'release_payments', data: { source: operating.id } },
  },
  reason: 'The loan was signed today',
})
const limits = approval({
  id: 'capr_4kYq8ZbT1mXd8',
  action: 'limits.change',
  resource_id: session.team.id,
  entity: null,
  amount: null,
  changes: [
    { name: 'payment_amount_max', before: '1000000', after: '2500000' },
    { name: 'payments_per_month', before: '400', after: null },
  ],
  request: { method: 'PATCH', path: '/team', body: { limits: { payment_amount_max: 2_500_000 } } },
  reason: 'Larger loans from April on',
})
const sourceChange = approval({
  ...limits,
  id: 'capr_4kYq8ZbT1mXe0',
  changes: [{ name: 'default_source_account', before: operating.id, after: reserveSource.id }],
  request: { method: 'PATCH', path: '/team', body: { default_source_account: reserveSource.id } },
  reason: 'The operating account is being closed',
})
const withoutSource = { ...release.request, body: { action: 'release_payments' } }
const start = approval({
  id: 'capr_4kYq8ZbT1mXd9',
  action: 'payments.start',
  resource_id: null,
  entity: null,
  amount: null,
  request: { method: 'POST', path: '/operator/payments/start', body: { team: 'all' } },
  reason: 'The rail is fixed',
  can: { approve: false, withdraw: false },
  why_not: 'no_permission',
})
const isOver = { can: { approve: false, withdraw: false } }

const page = (shown: Approval, over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: `/approvals/${shown.id}`,
  session: { approvals_waiting: 3 },
  replies: {
    'GET /console/approvals/:id': reply(shown),
    'GET /payments/:id/reversals/:id': reply(reversal),
    'GET /opal/sessions/:id': reply({
      data: opal('osess_4kYx7RfM2hWpS', {
        bt: { ...opal('x').bt!, allocations: { [discover.id]: 295_060, [chase.id]: 480_000 } },
      }),
    }),
    'GET /accounts/:id': reply(discover),
    [`GET /accounts/${chase.id}`]: reply(chase),
    [`GET /accounts/${operating.id}`]: reply(operating),
    [`GET /accounts/${reserveSource.id}`]: reply(reserve),
    'GET /entities/:id': reply({ type: 'corporation', corporation: { name: 'Northwind Lending' } }),
    'GET /team': reply({ default_source_account: operating.id }),
    'POST /console/approvals/:id/approve': reply(decided('approved')),
    'POST /console/approvals/:id/decline': reply(decided('declined')),
    'POST /console/approvals/:id/withdraw': reply(decided('withdrawn')),
    ...over,
  },
  ...rest,
})
const listOf = (data: readonly Approval[]) => reply({ data, next_cursor: null })
const list = (data: readonly Approval[], over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: '/approvals',
  session: { approvals_waiting: data.filter(({ status }) => status === 'waiting').length },
  replies: { 'GET /console/approvals': listOf(data), ...over },
  ...rest,
})
const every = [
  approval(),
  decided('approved', { id: 'capr_4kYq8ZbT1mXe1' }),
  decided('failed', { id: 'capr_4kYq8ZbT1mXe2' }),
  decided('declined', { id: 'capr_4kYq8ZbT1mXe3' }),
  decided('withdrawn', { id: 'capr_4kYq8ZbT1mXe4' }),
  approval({ id: 'capr_4kYq8ZbT1mXe5', status: 'expired', ...isOver }),
]

export const approvalScenes: Record<string, Record<string, Scene>> = {
  approvals: {
    waiting: list([release, approval(), own, limits]),
    all: list(every, {}, { at: '/approvals?status=all' }),
    empty: list([]),
    loading: list([], { 'GET /console/approvals': 'never' }, { slow: true }),
    failed: list([], { 'GET /console/approvals': failure(500) }),
    stale: list([approval()], { 'GET /console/approvals': [listOf([approval()]), failure(500)] }, { again: true }),
  },
  approval: {
    reversal: page(approval()),
    long_word: page({ ...approval(), reason: 'x'.repeat(200) }),
    release: page(release),
    release_default: page({ ...release, request: withoutSource }),
    release_no_source: page(
      { ...release, request: withoutSource },
      { 'GET /team': reply({ default_source_account: null }) },
    ),
    limits: page(limits),
    source_change: page(sourceChange),
    own: page(own),
    start: page(start, {}, { session: { user: userOf('Ines Farrow', 'finance'), approvals_waiting: 1 } }),
    approved: page(decided('approved')),
    lost: page(decided('approved', { ...payment, payment_status: 'failed' })),
    failed_run: page(decided('failed', { error: 'The reversal must be pending_approval.' })),
    declined: page(decided('declined', { decline_reason: 'Discover will accept the payment again' })),
    expired: page(approval({ status: 'expired', ...isOver })),
    approving: page(approval(), {}, { press: ['.answer .btn.go'] }),
    accounts_failed: page(approval(), { 'GET /accounts/:id': failure(500) }),
    loading: page(approval(), { 'GET /console/approvals/:id': 'never' }, { slow: true }),
    missing: page(approval(), { 'GET /console/approvals/:id': failure(404, 'NOT_FOUND') }),
    failed: page(approval(), { 'GET /console/approvals/:id': failure(500) }),
  },
}

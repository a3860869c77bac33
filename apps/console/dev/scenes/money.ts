/** Scenes for the payment list and for a single payment. */
import { failure, listed, needsApproval, type Replies, reply } from '../fake.js'
import { paymentProvider } from '../fixtures/connections.js'
import {
  byStatus,
  explanations,
  loanPayment,
  paymentList,
  paymentMoments,
  postings,
  restPayment,
  reversal,
  reversedPostings,
} from '../fixtures/money.js'
import { corwin, moment, people } from '../fixtures/people.js'
import type { Scene } from '../mount.js'
import { approval } from './approvals.js'

const paymentAt = '/payments/pmt_4kYi8ZbT1mXcV'

const paymentReplies = (state: keyof typeof byStatus): Replies => ({
  'GET /payments/:id': reply(byStatus[state]),
  'GET /payments/:id/explanation': reply(explanations[state]),
  'GET /payments/:id/postings': reply(
    ['waiting', 'held', 'canceled'].includes(state)
      ? { data: [], sum: 0, agrees: true }
      : state === 'failed'
        ? reversedPostings
        : postings,
  ),
  'GET /payments/:id/provider': reply(state === 'came_back' ? paymentProvider : { objects: [] }),
  'GET /payments/:id/reversals/:rvs': reply(
    state === 'came_back' ? reversal : { ...reversal, status: state === 'returned' ? 'sent' : 'processing' },
  ),
  'GET /timeline': [
    reply({ data: paymentMoments, missing: [], next_cursor: 'c_older' }),
    reply({
      data: [moment('2026-03-02T16:12:00.000Z', 'request', 'POST /entities', { status: 200 })],
      missing: [],
      next_cursor: null,
    }),
  ],
  'GET /entities/:id': reply(corwin),
  'GET /payments': listed([loanPayment, byStatus[state]]),
  'PUT /payments/:id/reversals/:rvs': reply({ ...reversal, status: 'pending' }),
  'DELETE /payments/:id': reply(byStatus.canceled),
})

const payment = (state: keyof typeof byStatus, over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: paymentAt,
  replies: { ...paymentReplies(state), ...over },
  ...rest,
})

const savedViews = [
  { id: 'cview_1', list: '/payments', name: 'Failed, no ids', query: 'hide=id&status=failed' },
  { id: 'cview_2', list: '/payments', name: 'Last quarter of 2025', query: 'from=2025-10-01&to=2025-12-31' },
  { id: 'cview_3', list: '/sessions', name: 'Stuck at the code', query: 'step=code' },
]
const payments = (answer: Replies[string], rest: Partial<Scene> = {}): Scene => ({
  at: '/payments',
  replies: {
    'GET /payments': answer,
    'GET /entities': listed(people),
    'GET /console/views': reply({ data: savedViews }),
  },
  ...rest,
})

export const moneyScenes: Record<string, Record<string, Scene>> = {
  payment: {
    paid_later: payment('failed', { 'GET /payments': listed([restPayment, byStatus.failed]) }),
    came_back: payment('came_back'),
    ...Object.fromEntries(
      Object.keys(byStatus)
        .filter(state => state !== 'came_back')
        .map(state => [state, payment(state as keyof typeof byStatus)]),
    ),
    waiting: payment(
      'came_back',
      { 'GET /console/approvals': reply({ data: [approval()], next_cursor: null }) },
      { session: { approvals_waiting: 1 } },
    ),
    asking: payment(
      'came_back',
      { 'PUT /payments/:id/reversals/:rvs': needsApproval },
      { press: ['.answer .btn.go', 'dialog .btn.go'] },
    ),
    approving: payment('came_back', {}, { press: ['.answer .btn.go'] }),
    loading: payment(
      'came_back',
      {
        'GET /payments/:id/explanation': 'never',
        'GET /payments/:id/postings': 'never',
        'GET /timeline': 'never',
      },
      { slow: true },
    ),
    partial: payment('came_back', {
      'GET /payments/:id/postings': failure(503, 'SERVICE_UNAVAILABLE'),
      'GET /timeline': reply({
        data: paymentMoments.filter(({ kind }) => kind !== 'delivery'),
        missing: ['delivery'],
        next_cursor: null,
      }),
    }),
    without_provider: payment('on_its_way', { 'GET /payments/:id/provider': failure(503) }),
    unexplained: payment('came_back', { 'GET /payments/:id/explanation': failure(500) }),
    stale: payment(
      'came_back',
      {
        'GET /payments/:id': [reply(byStatus.came_back), failure(503)],
        'GET /timeline': [reply({ data: paymentMoments, missing: [], next_cursor: null }), failure(503)],
      },
      { again: true },
    ),
    missing: payment('came_back', { 'GET /payments/:id': failure(404, 'NOT_FOUND') }),
    forbidden: payment('came_back', { 'GET /payments/:id': failure(403, 'FORBIDDEN') }),
    failing: payment('came_back', { 'GET /payments/:id': failure(500) }),
  },
  payments: {
    plain: payments(listed(paymentList, { next: 'c_older', previous: 'c_newer' })),
    filtered: payments(listed(paymentList.slice(0, 3)), {
      at: '/payments?status=reversal_required,failed&from=2026-03-03&to=2026-03-10',
    }),
    filtering: payments(listed(paymentList), { press: ['.menu summary.add'] }),
    choosing_columns: payments(listed(paymentList), {
      at: '/payments?hide=person,why',
      press: ['.chips .menu:nth-of-type(2) summary'],
    }),
    saving: payments(listed(paymentList.slice(0, 3)), {
      at: '/payments?status=failed&hide=to',
      press: ['.chips .menu:nth-of-type(3) summary'],
    }),
    saved: payments(listed(paymentList.slice(0, 3)), { at: '/payments?status=failed&hide=id' }),
    oldest_first: payments(listed([...paymentList].reverse(), { next: 'c_newer' }), {
      at: '/payments?sort=created_at',
    }),
    empty: payments(listed([])),
    no_match: payments(listed([]), { at: '/payments?status=failed' }),
    new_rows: payments([listed(paymentList.slice(2), { next: 'c_older' }), listed(paymentList, { next: 'c_older' })], {
      again: true,
    }),
    loading: payments('never', { slow: true }),
    failing: payments(failure(503, 'SERVICE_UNAVAILABLE')),
    offline: payments('offline'),
    forbidden: payments(failure(403, 'FORBIDDEN')),
    stale: payments([listed(paymentList), failure(503)], { again: true }),
    stopped: payments(listed(paymentList), {
      session: { payments_stopped: { scope: 'team', since: '2026-03-10T14:02:00.000Z' } },
    }),
  },
}

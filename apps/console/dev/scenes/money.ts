/** Scenes for the payment list and for a single payment. */
import { fail, given, listed, type Replies } from '../fake.js'
import { explanations, inState, list, paymentMoments, postings, reversal, sameLoan, undone } from '../fixtures/money.js'
import { corwin, moment, people } from '../fixtures/people.js'
import type { Scene } from '../mount.js'

const paymentAt = '/payments/pmt_4kYi8ZbT1mXcV'

const paymentReplies = (state: keyof typeof inState): Replies => ({
  'GET /payments/:id': given(inState[state]),
  'GET /payments/:id/explanation': given(explanations[state]),
  'GET /payments/:id/postings': given(
    ['waiting', 'held', 'canceled'].includes(state)
      ? { data: [], sum: 0, agrees: true }
      : state === 'failed'
        ? undone
        : postings,
  ),
  'GET /payments/:id/reversals/:rvs': given(
    state === 'came_back' ? reversal : { ...reversal, status: state === 'returned' ? 'sent' : 'processing' },
  ),
  'GET /timeline': [
    given({ data: paymentMoments, missing: [], next_cursor: 'c_older' }),
    given({
      data: [moment('2026-03-02T16:12:00.000Z', 'request', 'POST /entities', { status: 200 })],
      missing: [],
      next_cursor: null,
    }),
  ],
  'GET /entities/:id': given(corwin),
  'GET /payments': listed([sameLoan, inState[state]]),
  'PUT /payments/:id/reversals/:rvs': given({ ...reversal, status: 'pending' }),
  'DELETE /payments/:id': given(inState.canceled),
})

const payment = (state: keyof typeof inState, over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: paymentAt,
  replies: { ...paymentReplies(state), ...over },
  ...rest,
})

const payments = (reply: Replies[string], rest: Partial<Scene> = {}): Scene => ({
  at: '/payments',
  replies: { 'GET /payments': reply, 'GET /entities': listed(people) },
  ...rest,
})

export const moneyScenes: Record<string, Record<string, Scene>> = {
  payment: {
    came_back: payment('came_back'),
    ...Object.fromEntries(
      Object.keys(inState)
        .filter(state => state !== 'came_back')
        .map(state => [state, payment(state as keyof typeof inState)]),
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
      'GET /payments/:id/postings': fail(503, 'SERVICE_UNAVAILABLE'),
      'GET /timeline': given({
        data: paymentMoments.filter(({ kind }) => kind !== 'delivery'),
        missing: ['delivery'],
        next_cursor: null,
      }),
    }),
    unexplained: payment('came_back', { 'GET /payments/:id/explanation': fail(500) }),
    stale: payment(
      'came_back',
      {
        'GET /payments/:id': [given(inState.came_back), fail(503)],
        'GET /timeline': [given({ data: paymentMoments, missing: [], next_cursor: null }), fail(503)],
      },
      { again: true },
    ),
    missing: payment('came_back', { 'GET /payments/:id': fail(404, 'NOT_FOUND') }),
    forbidden: payment('came_back', { 'GET /payments/:id': fail(403, 'FORBIDDEN') }),
    failing: payment('came_back', { 'GET /payments/:id': fail(500) }),
  },
  payments: {
    plain: payments(listed(list, { next: 'c_older', previous: 'c_newer' })),
    filtered: payments(listed(list.slice(0, 3)), {
      at: '/payments?status=reversal_required,failed&from=2026-03-03&to=2026-03-10',
    }),
    filtering: payments(listed(list), { press: ['.menu summary.add'] }),
    empty: payments(listed([])),
    no_match: payments(listed([]), { at: '/payments?status=failed' }),
    loading: payments('never', { slow: true }),
    failing: payments(fail(503, 'SERVICE_UNAVAILABLE')),
    offline: payments('offline'),
    forbidden: payments(fail(403, 'FORBIDDEN')),
    stale: payments([listed(list), fail(503)], { again: true }),
    stopped: payments(listed(list), {
      session: { payments_stopped: { scope: 'team', since: '2026-03-10T14:02:00.000Z' } },
    }),
  },
}

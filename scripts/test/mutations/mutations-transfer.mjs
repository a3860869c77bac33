/**
 * Mutations that affect a balance transfer: the suggested split, the interest estimate, and each payment's outcome. For
 * `mutations.mjs`.
 */
const src = path => `apps/api/src/${path}`
const split = { file: 'packages/contract/src/allocations.ts', test: 'packages/contract/src/allocations.test.ts' }
const later = {
  file: src('flow/sessions/outcomes.ts'),
  test: src('flow/sessions/release.test.ts'),
  name: 'the person sees a later payment for the rest',
}

export const transferMutations = [
  {
    ...split,
    promise: 'The suggested split pays the highest rate first',
    find: 'descending(a.apr, b.apr) || ',
    replace: '',
    name: 'the highest rate first',
  },
  {
    ...split,
    promise: 'Accounts with an unknown rate come last',
    find: '(b ?? -1) - (a ?? -1)',
    replace: '(b ?? 101) - (a ?? 101)',
    name: 'an unknown rate last',
  },
  {
    ...split,
    promise: 'If rates are equal, the higher balance is paid first',
    find: ' || descending(a.balance, b.balance)',
    replace: '',
    name: 'breaks ties between rates',
  },
  {
    ...split,
    promise: 'highest_balance pays the highest balance first',
    find: 'highest_balance: (a, b) => descending(a.balance, b.balance)',
    replace: 'highest_balance: (a, b) => descending(a.apr, b.apr)',
    name: 'the highest balance first',
  },
  {
    ...split,
    promise: 'lowest_balance pays the lowest balance first',
    find: 'lowest_balance: (a, b) => ascending(a.balance, b.balance)',
    replace: 'lowest_balance: (a, b) => descending(a.balance, b.balance)',
    name: 'the lowest balance first',
  },
  {
    promise: 'If a token sets no suggestion, the highest rate is paid first',
    file: src('flow/sessions/config.ts'),
    find: "given.suggestion ?? 'highest_rate'",
    replace: "given.suggestion ?? 'highest_balance'",
    test: src('flow/steps/allocation/step.test.ts'),
    name: 'with the suggestion undefined',
  },
  {
    ...split,
    promise: "The interest estimate compares each account's rate with the loan's",
    find: '(apr! - loan_apr)',
    replace: 'apr!',
    name: 'times the difference between the rates',
  },
  {
    ...split,
    promise: 'The interest estimate is never below 0',
    find: 'Math.max(0, Math.round(saved))',
    replace: 'Math.round(saved)',
    name: 'is 0, not negative',
  },
  {
    ...split,
    promise: 'The interest estimate leaves out accounts with an unknown rate',
    find: 'apr !== null && (allocations[id] ?? 0) > 0',
    replace: '(apr ?? 1) > 0 && (allocations[id] ?? 0) > 0',
    name: 'leaves out accounts without a known rate',
  },
  {
    promise: 'A release emits an event that lists the accounts that were not paid',
    file: src('flow/sessions/release.ts'),
    find: "await emit(ctx, 'opal_session.update', showOpalSession(after), showOpalSession(session))",
    replace: '',
    test: src('flow/sessions/release.test.ts'),
    name: 'with its reason beside it',
  },
  {
    ...later,
    promise: 'A later payment for the unpaid rest of a release is part of the outcome',
    find: 'row.id === ids[account] || (row.destination === account &&',
    replace: 'row.id === ids[account] || (false &&',
  },
  {
    ...later,
    promise: 'A payment of a different amount does not replace one that a release did not make',
    find: 'amount === allocated && namesSession',
    replace: 'namesSession',
  },
  {
    ...later,
    promise: 'A payment from another session does not replace one that a release did not make',
    find: "?.['session_id'] === session",
    replace: "?.['session_id'] !== undefined",
  },
  {
    ...later,
    promise: 'A payment that arrived counts, and a later canceled one does not',
    find: 'made.filter(row => !isLost(outcomeOf(row.status))).at(-1) ?? ',
    replace: '',
  },
  {
    promise: 'A payment that is being returned is not shown as in progress',
    file: 'packages/contract/src/outcome.ts',
    find: "reversal_required: 'returning',",
    replace: '',
    test: 'packages/contract/src/outcome.test.ts',
  },
]

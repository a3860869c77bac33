/** Deliberate mistakes in what happens to money and its ledger at the edges: a request that dies, a rail that is not there, a process that ends. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

export const moneyMutations = [
  {
    promise: 'A cancel that the rail took makes the payment canceled, whatever becomes of its request',
    file: src('payments/cancel.ts'),
    find: "if (now && status === 'canceled') await movePayment(saving, now, 'canceled')",
    replace: '',
    test: src('payments/once.test.ts'),
    name: 'whose request died',
  },
  {
    promise: 'Who canceled a payment is not told that money was short',
    file: src('payments/jobs.ts'),
    find: '{ code: asked ? null : code }',
    replace: '{ code }',
    test: src('payments/once.test.ts'),
    name: 'cancel',
  },
  {
    promise: 'The ledger is held against the rail that the service has',
    file: src('operator.ts'),
    find: 'connector: config.connector }',
    replace: 'connector: null }',
    test: src('operator.test.ts'),
    name: 'asks the rail that the service has',
  },
  {
    promise: 'A rail that is not there is not asked of every payment',
    file: src('ledger/check.ts'),
    find: 'if (silences >= SILENT) {',
    replace: 'if (silences > 1_000) {',
    test: src('ledger/check.test.ts'),
    name: 'asks a rail that is not there',
  },
  {
    promise: 'Webhooks leave until the end',
    file: src('run.ts'),
    find: 'ownPorts: () => ownPorts',
    replace: 'ownPorts: () => open.map(portOf)',
    test: src('run.test.ts'),
  },
  {
    promise: 'A job is not left behind by the clock that moves meanwhile',
    file: src('jobs/jobs.ts'),
    find: '(ticks ? clock.forShare() : clock)',
    replace: 'clock',
    test: src('jobs/clock.test.ts'),
    engine: 'postgres',
  },
  {
    promise: 'The ledger sees a reversal of more than was paid',
    file: src('ledger/ledger.ts'),
    find: ' && !fits(paid, paid.reversal.amount)',
    replace: ' && false',
    test: src('ledger/ledger.test.ts'),
  },
  {
    promise: 'A reversal that failed does not end as sent',
    file: src('payments/store.ts'),
    find: ' || !(await reversalAllows(scope, before, to))',
    replace: '',
    test: src('reversals/reversals.test.ts'),
    name: 'its reversal fails with',
  },
]

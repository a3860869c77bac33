/**
 * Mutations that leak data. Every test service scans for leaks when it stops (apps/api/src/testing/watch.ts). For
 * `mutations.mjs`.
 */
const src = path => `apps/api/src/${path}`

export const leakMutations = [
  {
    promise: 'A log line contains the route, not the path, which can contain a token',
    file: src('platform/http/pipeline.ts'),
    find: 'route: route.path,\n        status,',
    replace: 'route: incoming.path,\n        status,',
  },
  {
    promise: 'The recipients of codes are not stored in plain text',
    file: src('platform/limits/counters.ts'),
    find: 'deps.vault.hash(purpose, whole)',
    replace: 'whole',
  },
  {
    promise: 'Account numbers are sealed',
    file: src('people/accounts/store.ts'),
    find: "number: number === null ? null : sealer(scope).seal({ id, field: 'number' }, number)",
    replace: 'number',
  },
  {
    promise: 'An event contains no personal data',
    file: src('notify/events/event.ts'),
    find: "'individual', ",
    replace: '',
  },
  {
    promise: 'A key is stored as a hash',
    file: src('team/teams/keys.ts'),
    find: 'last4: value.slice(-4)',
    replace: 'last4: value',
  },
  {
    promise: 'Vehicle numbers are sealed and appear in no event',
    file: src('people/products/vehicle/product.ts'),
    find: '  sealed: true,',
    replace: '',
  },
].map(entry => ({ test: src('testing/watch.test.ts'), name: 'finds nothing', ...entry }))

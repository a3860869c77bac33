/** Mutations that affect verification attempts and withdrawn consent. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`
const account = { file: src('people/accounts/verification-tries.ts'), test: src('people/accounts/outage.test.ts') }
const entity = { file: src('people/entities/sessions.ts'), test: src('people/entities/sessions.test.ts') }
const answers = { file: src('platform/http/idempotency.ts'), test: src('privacy/consent.test.ts') }

export const proofMutations = [
  {
    ...account,
    promise: 'An outage uses up no try of an account',
    find: '{ ...known, tries: known.tries - 1 }',
    replace: 'known',
    name: 'an outage of the network',
  },
  {
    ...account,
    promise: 'A late verdict takes no counted try back',
    find: '{ ...known, ...verdict.data, tries: known.tries }',
    replace: '{ ...known, ...verdict.data }',
    name: 'a verdict that arrives while',
  },
  {
    ...account,
    promise: 'A session without tries ends, though its last one had no verdict',
    find: 'if (data.tries >= methodOf(row).tries)\n',
    replace: 'if (data.tries > methodOf(row).tries)\n',
    name: 'whose last attempt has no verdict',
  },
  {
    ...entity,
    promise: 'An outage uses up no try of an entity',
    find: 'await countTries(tx, row, dataOf(row).tries - 1)',
    replace: 'await countTries(tx, row, dataOf(row).tries)',
    name: 'an outage uses up no attempt',
  },
  {
    promise: 'A wrong round of questions with none after it proves nothing',
    file: src('people/entities/methods/kba.ts'),
    find: "return next.status === 'in_progress' ? next.data : undefined",
    replace: 'return next.data',
    test: src('people/entities/questions.test.ts'),
    name: 'without further questions',
  },
  {
    promise: 'A card is an instrument only after its network confirms the holder',
    file: src('people/products/payment-instrument/product.ts'),
    find: "{ proven: 'network' }",
    replace: "{ proven: 'any' }",
    test: src('people/products/payment-instrument/payment-instrument.test.ts'),
    name: 'requires a verification with its network',
  },
  {
    ...answers,
    promise: 'An account whose consent is withdrawn is in no answer about its holder',
    find: '[subject, holder])',
    replace: '[subject])',
    name: 'is removed from a stored response',
  },
  {
    ...answers,
    promise: 'The remains of a deleted person are replayed in the form of their version',
    find: 'rendered.version ?? scope.team.version',
    replace: "'2026-03-30' as Version",
    name: 'in the form of its version',
  },
]

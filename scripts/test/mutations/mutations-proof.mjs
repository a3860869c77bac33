/** Mutations that affect verification attempts and withdrawn consent. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`
const account = { file: src('people/accounts/verification-tries.ts'), test: src('people/accounts/outage.test.ts') }
const entity = { file: src('people/entities/answers.ts'), test: src('people/entities/sessions.test.ts') }
const answers = { file: src('platform/http/idempotency.ts'), test: src('privacy/consent.test.ts') }

export const proofMutations = [
  {
    promise: "A phone proof is as old as the customer's own verification",
    file: src('people/entities/sessions.ts'),
    find: 'verdict.provedAt ?? scope.now',
    replace: 'scope.now',
    test: src('flow/sessions/proof.test.ts'),
    name: "as old as the customer's own verification",
  },
  {
    ...account,
    promise: 'An outage uses up no attempt for an account',
    find: '{ ...known, tries: known.tries - 1 }',
    replace: 'known',
    name: 'a network outage uses up no attempt',
  },
  {
    ...account,
    promise: 'A late verdict does not undo a counted attempt',
    find: '{ ...known, ...verdict.data, tries: known.tries }',
    replace: '{ ...known, ...verdict.data }',
    name: 'a result that arrives while other attempts are counted',
  },
  {
    ...account,
    promise: 'A session without remaining attempts ends even if the last attempt had no verdict',
    find: 'if (data.tries >= methodOf(row).tries)\n',
    replace: 'if (data.tries > methodOf(row).tries)\n',
    name: 'a session whose last attempt has no result ends after a minute',
  },
  {
    ...entity,
    promise: 'An outage uses up no attempt for an entity',
    find: 'await countTries(tx, row, dataOf(row).tries - 1)',
    replace: 'await countTries(tx, row, dataOf(row).tries)',
    name: 'an outage uses up no attempt',
  },
  {
    promise: 'An incorrect round of questions that is not followed by another round verifies nothing',
    file: src('people/entities/methods/kba/method.ts'),
    find: "return next.status === 'in_progress' ? next.data : undefined",
    replace: 'return next.data',
    test: src('people/entities/methods/kba/kba.test.ts'),
    name: 'without further questions',
  },
  {
    promise: 'A card is an instrument only after its network confirms the holder',
    file: src('people/products/payment-instrument/product.ts'),
    find: "{ proven: 'network' }",
    replace: "{ proven: 'any' }",
    test: src('people/products/payment-instrument/payment-instrument.test.ts'),
    name: 'a card requires verification with its network',
  },
  {
    ...answers,
    promise: 'An account with withdrawn consent appears in no response about its holder',
    find: '[subject, holder])',
    replace: '[subject])',
    name: 'is removed from a stored response',
  },
  {
    ...answers,
    promise: 'A stored response about a deleted person is replayed in the format of its original version',
    find: 'rendered.version ?? scope.team.version',
    replace: "'2026-03-30' as Version",
    name: 'in the form of its version',
  },
]

/** Deliberate mistakes in how tries of a verification are counted, and in what a withdrawal leaves. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`
const account = { file: src('accounts/verification.ts'), test: src('accounts/outage.test.ts') }
const entity = { file: src('entities/sessions.ts'), test: src('entities/sessions.test.ts') }
const answers = { file: src('http/idempotency.ts'), test: src('consent/consent.test.ts') }

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
    name: 'a verdict that comes while',
  },
  {
    ...account,
    promise: 'A session without tries ends, though its last one had no verdict',
    find: 'if (data.tries >= methodOf(row).tries) await change',
    replace: 'if (data.tries > methodOf(row).tries) await change',
    name: 'whose last try has no verdict',
  },
  {
    ...entity,
    promise: 'An outage uses up no try of an entity',
    find: 'await countTries(tx, row, dataOf(row).tries - 1)',
    replace: 'await countTries(tx, row, dataOf(row).tries)',
    name: 'an outage uses up no try',
  },
  {
    promise: 'A wrong round of questions with none after it proves nothing',
    file: src('entities/methods.ts'),
    find: "return next.status === 'in_progress' ? next.data : undefined",
    replace: 'return next.data',
    test: src('entities/questions.test.ts'),
    name: 'nothing more to ask',
  },
  {
    promise: 'The card of somebody is no instrument until its network knows them',
    file: src('products/payment-instrument.ts'),
    find: "{ proven: 'network' }",
    replace: "{ proven: 'any' }",
    test: src('products/account-products.test.ts'),
    name: 'once its network knows',
  },
  {
    ...answers,
    promise: 'An account whose consent is withdrawn is in no answer about its holder',
    find: '[subject, holder])',
    replace: '[subject])',
    name: 'one account is out',
  },
  {
    ...answers,
    promise: 'What is left of somebody is replayed in the form of its version',
    find: 'rendered.version ?? scope.team.version',
    replace: "'2026-03-30' as Version",
    name: 'as its version shows',
  },
]

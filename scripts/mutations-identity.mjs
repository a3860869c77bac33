/** Mutations of identity checks and their attempt limits. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

const unproven = [
  {
    promise: 'A step without a way back takes none',
    file: src('flow/steps/take-step.ts'),
    find: '(back?.offered(call.facts) ? back.take : undefined)',
    replace: 'back?.take',
    name: 'matches changed details again',
  },
  {
    promise: "Once an answer was counted, the person can't go back to details that bring other questions",
    file: src('flow/steps/questions/step.ts'),
    find: 'dataOf(facts.identitySession!).tries === 0 && ',
    replace: '',
    name: 'is not offered once an answer was counted',
  },
  {
    promise: 'The person goes back only to details that may still be submitted',
    file: src('flow/sessions/facts.ts'),
    find: 'facts.progress.revisable && ',
    replace: '',
    name: 'matches changed details again',
  },
  {
    promise: 'Details that the person looks at again use up no attempt',
    file: src('flow/steps/details/step.ts'),
    find: 'entity.matched === 1 && JSON.stringify(next) === JSON.stringify(old)',
    replace: 'false',
    name: 'unchanged ones lead to the same questions',
  },
  {
    promise: 'A typed number that is replaced takes with it whom the old one matched',
    file: src('people/entities/sessions.ts'),
    find: '{ matched: 0, person: null }',
    replace: '{}',
    name: 'never lets another number',
  },
  {
    promise: 'A code that was sent to the old number proves nothing of the new one',
    file: src('people/entities/sessions.ts'),
    find: '  await endSessions(scope, row.id)\n',
    replace: '',
    name: 'takes its code with it',
  },
  {
    promise: 'What a proven identity rests on can no longer be replaced',
    file: src('people/entities/sessions.ts'),
    find: "identity_session: row.id, typed: '[]' }",
    replace: 'identity_session: row.id }',
    name: 'are fixed once the identity is proven',
  },
  {
    promise: 'What another person of the same entity typed is not shown',
    file: src('flow/steps/details/step.ts'),
    find: '.filter(field => facts.progress.typed.includes(field))',
    replace: '.filter(() => true)',
    name: 'where those of the first are not shown',
  },
].map(each => ({ test: src('flow/sessions/unproven-details.test.ts'), ...each }))

const attempts = [
  {
    promise: 'Wrong answers count whatever token they come with',
    file: src('flow/sessions/facts.ts'),
    find: 'if (attempts.questions.left === 0) return spent(attempts.questions)',
    replace: '',
    name: 'whatever tokens',
  },
  {
    promise: 'Several frames at once have no more attempts than one',
    file: src('people/entities/sessions.ts'),
    find: 'method.guesses && (await take(tx, method.guesses, row.holder_id))',
    replace: 'null as null | { left: number; freeAt: number }',
    name: 'eight frames',
  },
  {
    promise: 'Sessions over REST share the attempts of their entity',
    file: src('people/entities/sessions.ts'),
    find: 'method.guesses && (await take(tx, method.guesses, row.holder_id))',
    replace: 'null as null | { left: number; freeAt: number }',
    name: '16 simultaneous answers',
  },
  {
    promise: 'Forms without a match count whatever token they come with',
    file: src('flow/sessions/facts.ts'),
    find: 'attempts.matches.left === 0 ? spent(attempts.matches) : ',
    replace: '',
    test: src('flow/steps/details/step.test.ts'),
    name: 'four times a day',
  },
].map(each => ({ test: src('flow/steps/questions/step.test.ts'), ...each }))

const limits = [
  {
    promise: 'Simultaneous codes to one number are limited',
    file: src('platform/limits/counters.ts'),
    find: "'<=', sql<number>`case",
    replace: "'<=', sql<number>`1000000 + case",
    test: src('people/entities/codes.test.ts'),
    name: 'three times an hour',
  },
  {
    promise: 'An act is checked and counted in one statement',
    file: src('platform/limits/counters.ts'),
    find: '  const { now } = scope\n',
    replace:
      '  const { now } = scope\n  if ((await allRemaining(scope, limits)).some(({ left }) => left === 0)) return limits.map(() => null)\n  limits = limits.map(([limit, subject]) => [{ ...limit, most: 1e9 }, subject])\n',
    test: src('people/entities/codes.test.ts'),
    name: 'even for simultaneous requests of several clients',
    engine: 'postgres',
  },
  {
    promise: 'The addresses of an IPv6 /64 are one',
    file: src('people/entities/codes.ts'),
    find: 'networkOf(address)',
    replace: 'address',
    test: src('people/entities/codes.test.ts'),
    name: 'IPv6 /64',
  },
  {
    promise: 'A refused code counts nothing against the address',
    file: src('platform/limits/counters.ts'),
    find: '    if (taken[index]) await giveBack(scope, limit, subject, taken[index])\n',
    replace: '    void [limit, subject]\n',
    test: src('people/entities/codes.test.ts'),
    name: 'do not use up the limit of the address',
  },
  {
    promise: 'Security codes are guessed five times a day, whatever session',
    file: src('people/accounts/verification-tries.ts'),
    find: 'method.guesses && (await take(scope, method.guesses, account.id))',
    replace: 'null as null | { left: number; freeAt: number }',
    test: src('people/accounts/guess-limits.test.ts'),
    name: 'across sessions of both methods',
  },
  {
    promise: 'Micro-deposits, which cost money, are sent three times a day',
    file: src('people/accounts/verification.ts'),
    find: '  if (method.begins) await take(scope, method.begins, account.id)\n',
    replace: '',
    test: src('people/accounts/guess-limits.test.ts'),
    name: 'at most three times a day',
  },
  {
    promise: 'Replays of a refused token write nothing more',
    file: src('flow/sessions/redeem.ts'),
    find: 'if (await tryTake(scope, refusals, handle)) await audit',
    replace: 'await audit',
    test: src('flow/sessions/redeem.test.ts'),
    name: '4.1.1',
  },
]

export const identityMutations = [...unproven, ...attempts, ...limits]

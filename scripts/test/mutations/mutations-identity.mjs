/** Mutations of identity checks and their attempt limits. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

const questions = src('flow/steps/questions/step.test.ts')

const unproven = [
  {
    promise: 'A step without a back action rejects it',
    file: src('flow/steps/take-step.ts'),
    find: '(back?.offered(call.facts) ? back.take : undefined)',
    replace: 'back?.take',
    test: questions,
    name: 'matches changed details again',
  },
  {
    promise: "Once an answer has been counted, the person can't go back to details that lead to different questions",
    file: src('flow/steps/questions/step.ts'),
    find: 'dataOf(facts.identitySession!).tries === 0 && ',
    replace: '',
    test: questions,
    name: 'is not offered after an answer has counted',
  },
  {
    promise: 'The person can go back only to details that can still be submitted',
    file: src('flow/sessions/facts.ts'),
    find: 'facts.progress.revisable && ',
    replace: '',
    test: questions,
    name: 'matches changed details again',
  },
  {
    promise: 'Submitting unchanged details again uses up no attempt',
    file: src('flow/steps/details/step.ts'),
    find: 'entity.matched === 1 && JSON.stringify(next) === JSON.stringify(old)',
    replace: 'false',
    test: questions,
    name: 'shows the typed details',
  },
  {
    promise: 'A page learns that the person is identified even if an outage interrupted the proof',
    file: src('flow/sessions/transitions.ts'),
    find: ' || interrupted',
    replace: '',
    test: src('flow/sessions/proof-actions.test.ts'),
    name: 'is reported once if an outage',
  },
  {
    promise: "After a page stops waiting, a proof leaves the next action to the page's next call",
    file: src('flow/sessions/advance.ts'),
    find: ' || !isAwaited',
    replace: '',
    test: src('flow/sessions/proof-actions.test.ts'),
    name: 'leaves the next action',
  },
  {
    promise: 'Replacing a typed number also discards the person that the old number matched',
    file: src('people/entities/sessions.ts'),
    find: '{ matched: 0, person: null }',
    replace: '{}',
    name: 'never lets another number',
  },
  {
    promise: 'A code sent to the old number does not verify the new number',
    file: src('people/entities/sessions.ts'),
    find: '  await endSessions(scope, row.id)\n',
    replace: '',
    name: 'invalidates its code when changed',
  },
  {
    promise: 'The details behind a verified identity can no longer be replaced',
    file: src('people/entities/sessions.ts'),
    find: "identity_session: row.id, typed: '[]' }",
    replace: 'identity_session: row.id }',
    name: "can't be changed once the identity is verified",
  },
  {
    promise: 'Details that another person typed for the same entity are not shown',
    file: src('flow/steps/details/step.ts'),
    find: '.filter(field => facts.progress.typed.includes(field))',
    replace: '.filter(() => true)',
    name: 'can be retyped in another session',
  },
].map(each => ({ test: src('flow/sessions/unproven-details.test.ts'), ...each }))

const attempts = [
  {
    promise: 'Incorrect answers count across tokens',
    file: src('flow/sessions/facts.ts'),
    find: 'if (attempts.questions.left === 0) return spent(attempts.questions)',
    replace: '',
    name: 'can be answered incorrectly twice a day',
  },
  {
    promise: 'Several frames at once have no more attempts than one',
    file: src('people/entities/answers.ts'),
    find: 'method.guesses && (await take(tx, method.guesses, row.holder_id))',
    replace: 'null as null | { left: number; freeAt: number }',
    name: 'eight frames',
  },
  {
    promise: 'Sessions over REST share the attempts of their entity',
    file: src('people/entities/answers.ts'),
    find: 'method.guesses && (await take(tx, method.guesses, row.holder_id))',
    replace: 'null as null | { left: number; freeAt: number }',
    name: '16 simultaneous answers',
  },
  {
    promise: 'Forms without a match count across tokens',
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
    test: src('people/entities/methods/sms/codes.test.ts'),
    name: 'three times an hour',
  },
  {
    promise: 'An action is checked and counted in one statement',
    file: src('platform/limits/counters.ts'),
    find: '  const { now } = scope\n',
    replace:
      '  const { now } = scope\n  if ((await allRemaining(scope, limits)).some(({ left }) => left === 0)) return limits.map(() => null)\n  limits = limits.map(([limit, subject]) => [{ ...limit, most: 1e9 }, subject])\n',
    test: src('people/entities/methods/sms/codes.test.ts'),
    name: 'are sent to a supplied number three times an hour',
    engine: 'postgres',
  },
  {
    promise: 'All addresses in an IPv6 /64 count as one',
    file: src('people/entities/methods/sms/codes.ts'),
    find: 'networkOf(address)',
    replace: 'address',
    test: src('people/entities/methods/sms/codes.test.ts'),
    name: 'IPv6 /64',
  },
  {
    promise: 'A rejected code does not count against the limit of the address',
    file: src('platform/limits/counters.ts'),
    find: '    if (taken[index]) await giveBack(scope, limit, subject, taken[index])\n',
    replace: '    void [limit, subject]\n',
    test: src('people/entities/methods/sms/codes.test.ts'),
    name: 'rejected for one number do not use up the',
  },
  {
    promise: 'Security codes allow at most five guesses a day across all sessions',
    file: src('people/accounts/verification-tries.ts'),
    find: 'method.guesses && (await take(scope, method.guesses, account.id))',
    replace: 'null as null | { left: number; freeAt: number }',
    test: src('people/accounts/guess-limits.test.ts'),
    name: 'across sessions of both methods',
  },
  {
    promise: 'Micro-deposits, which cost money, are sent at most three times a day',
    file: src('people/accounts/verification.ts'),
    find: '  if (method.begins) await take(scope, method.begins, account.id)\n',
    replace: '',
    test: src('people/accounts/methods/micro-deposits/micro-deposits.test.ts'),
    name: 'at most three times a day',
  },
  {
    promise: 'Replays of a rejected token write no further audit entries',
    file: src('flow/sessions/redeem.ts'),
    find: 'if (await tryTake(scope, refusals, handle)) await audit',
    replace: 'await audit',
    test: src('flow/sessions/redeem.test.ts'),
    name: '4.1.1',
  },
]

export const identityMutations = [...unproven, ...attempts, ...limits]

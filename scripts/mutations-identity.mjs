/** Deliberate mistakes in the promises about who a person is, and how often it can be tried. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

const unproven = [
  {
    promise: 'A typed number that is replaced takes with it whom the old one matched',
    file: src('entities/sessions.ts'),
    find: '{ matched: 0, person: null }',
    replace: '{}',
    name: 'never lets another number',
  },
  {
    promise: 'A code that was sent to the old number proves nothing of the new one',
    file: src('entities/sessions.ts'),
    find: '  await endSessions(scope, row.id)\n',
    replace: '',
    name: 'takes its code with it',
  },
  {
    promise: 'What a proven identity rests on can no longer be replaced',
    file: src('entities/sessions.ts'),
    find: "identity_session: row.id, typed: '[]' }",
    replace: 'identity_session: row.id }',
    name: 'are fixed once the identity is proven',
  },
  {
    promise: 'What another person of the same entity typed is not shown',
    file: src('elements/view.ts'),
    find: '.filter(field => facts.progress.typed.includes(field))',
    replace: '.filter(() => true)',
    name: 'where those of the first are not shown',
  },
].map(each => ({ test: src('elements/unproven.test.ts'), ...each }))

const attempts = [
  {
    promise: 'Wrong answers count whatever token they come with',
    file: src('elements/facts.ts'),
    find: 'if (attempts.questions.left === 0) return spent(attempts.questions)',
    replace: '',
    name: 'whatever tokens',
  },
  {
    promise: 'Several frames at once have no more tries than one',
    file: src('elements/advance.ts'),
    find: 'open ? { row: open, job: null } :',
    replace: '',
    name: 'eight frames',
  },
  {
    promise: 'Forms that match nobody count whatever token they come with',
    file: src('elements/facts.ts'),
    find: 'attempts.matches.left === 0 ? spent(attempts.matches) : ',
    replace: '',
    name: 'four times a day',
  },
].map(each => ({ test: src('elements/attempts.test.ts'), ...each }))

export const identityMutations = [...unproven, ...attempts]

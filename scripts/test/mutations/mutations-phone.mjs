/** Mutations of phone verification. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

const notMe = [
  {
    promise: "A person who pressed “This isn't me” sees nothing more of the session",
    file: src('flow/sessions/facts.ts'),
    find: 'if (progress.not_me !== null) return',
    replace: 'if (progress.not_me === 0) return',
    name: 'limits the bearer to that screen',
  },
  {
    promise: "A person who presses “This isn't me” causes one event",
    file: src('flow/sessions/store.ts'),
    find: 'if (progress.not_me !== null || ',
    replace: 'if (',
    name: 'sends the customer one event',
  },
  {
    promise: "After a person presses “This isn't me”, the token authenticates no other person",
    file: src('flow/sessions/element-routes.ts'),
    find: 'not_me === null && ',
    replace: '',
    name: 'sends the customer one event',
  },
  {
    promise: 'The next person after the wrong person starts over',
    file: src('flow/steps/not-me.ts'),
    find: 'consented: false, ',
    replace: '',
    name: 'lets the next token start over',
  },
].map(each => ({ test: src('flow/steps/not-me.test.ts'), ...each }))

const silent = [
  {
    promise: 'A phone is directed only to origins that the operator listed',
    file: src('flow/steps/phone/step.ts'),
    find: ' && urls.every(url => isSilent(deps, team, url))',
    replace: '',
    name: 'so the frame never opens it',
  },
  {
    promise: 'A carrier domain does not include a host with a similar ending',
    file: src('flow/sessions/silent-auth.ts'),
    find: 'origin.endsWith(suffix)',
    replace: 'origin.endsWith(suffix.slice(1))',
    name: 'only ends like one',
  },
  {
    promise: 'No carrier is queried for a team without `sna`',
    file: src('flow/sessions/silent-auth.ts'),
    find: "team.settings.identity_methods.includes('sna') ? known : []",
    replace: 'known',
    name: 'if the team does not use sna',
  },
  {
    promise: 'A carrier is queried at most five times per session',
    file: src('flow/steps/phone/step.ts'),
    find: 'call.facts.progress.silent >= MOST',
    replace: 'call.facts.progress.silent > MOST',
    name: 'after five carrier checks in a session',
  },
  {
    promise: 'A typed code does not count as a confirmation from the carrier',
    file: src('flow/steps/code/step.ts'),
    find: "if (input['action'] !== 'silent') return textInstead(call)",
    replace: '',
    name: 'a typed code verifies nothing',
  },
  {
    promise: 'A phone that its carrier does not confirm is not verified',
    file: src('flow/steps/code/step.ts'),
    find: "return row.status === 'verified' ? fine : await textInstead(call)",
    replace: 'return fine',
    name: 'does not know it',
  },
  {
    promise: 'If no code can be sent, the wait for the carrier also ends',
    file: src('flow/steps/phone-proof.ts'),
    find: 'await save(call, () => ({ phone_session: null }))',
    replace: '',
    name: 'or, if no more codes can be sent',
  },
].map(each => ({ test: src('flow/steps/phone/silent-auth.test.ts'), ...each }))

export const phoneMutations = [...notMe, ...silent]

/** Mutations of phone verification. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

const notMe = [
  {
    promise: 'A person who said that they are someone else sees nothing more of the session',
    file: src('flow/sessions/facts.ts'),
    find: 'if (progress.not_me !== null) return',
    replace: 'if (progress.not_me === 0) return',
    name: 'nothing but that screen',
  },
  {
    promise: 'A person who said that they are someone else causes one event',
    file: src('flow/sessions/store.ts'),
    find: 'if (progress.not_me !== null || ',
    replace: 'if (',
    name: 'sends the customer one event',
  },
  {
    promise: 'A token whose person said that they are someone else authenticates no other person',
    file: src('flow/sessions/element-routes.ts'),
    find: 'not_me === null && ',
    replace: '',
    name: 'sends the customer one event',
  },
  {
    promise: 'The next person after a wrong one starts over',
    file: src('flow/steps/not-me.ts'),
    find: 'consented: false, ',
    replace: '',
    name: 'the next token begins anew',
  },
].map(each => ({ test: src('flow/steps/not-me.test.ts'), ...each }))

const silent = [
  {
    promise: 'A handset is sent to no origin but those that the operator named',
    file: src('flow/steps/phone/step.ts'),
    find: ' && urls.every(url => isSilent(deps, team, url))',
    replace: '',
    name: 'never told to open it',
  },
  {
    promise: 'A domain of carriers does not include a host with a similar ending',
    file: src('flow/sessions/silent-auth.ts'),
    find: 'origin.endsWith(suffix)',
    replace: 'origin.endsWith(suffix.slice(1))',
    name: 'only ends like one',
  },
  {
    promise: 'No carrier is asked for a team without sna',
    file: src('flow/sessions/silent-auth.ts'),
    find: "team.settings.identity_methods.includes('sna') ? known : []",
    replace: 'known',
    name: 'does without sna',
  },
  {
    promise: 'A carrier is asked five times in a session at most',
    file: src('flow/steps/phone/step.ts'),
    find: 'call.facts.progress.silent >= MOST',
    replace: 'call.facts.progress.silent > MOST',
    name: 'five times',
  },
  {
    promise: 'A typed code is no word of a carrier',
    file: src('flow/steps/code/step.ts'),
    find: "if (input['action'] !== 'silent') return textInstead(call)",
    replace: '',
    name: 'a typed code proves nothing',
  },
  {
    promise: 'A phone that its carrier does not confirm is not proven',
    file: src('flow/steps/code/step.ts'),
    find: "return row.status === 'verified' ? fine : await textInstead(call)",
    replace: 'return fine',
    name: 'does not know it',
  },
  {
    promise: 'Where no code can be sent the wait for the carrier is over too',
    file: src('flow/steps/phone-proof.ts'),
    find: 'await save(call, () => ({ phone_session: null }))',
    replace: '',
    name: 'none can be sent any more',
  },
].map(each => ({ test: src('flow/steps/phone/silent-auth.test.ts'), ...each }))

export const phoneMutations = [...notMe, ...silent]

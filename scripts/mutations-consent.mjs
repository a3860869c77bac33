/** Mutations that affect consent and accounts that are opened later. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`
const pending = src('people/accounts/pending.test.ts')
const agreements = src('flow/steps/consent/step.test.ts')
const future = src('flow/sessions/later-accounts.test.ts')

export const consentMutations = [
  {
    promise: 'An account that awaits consent is not there for any product',
    file: src('people/accounts/store.ts'),
    find: ".where('awaits_consent', 'is', null)",
    replace: '',
    test: pending,
    name: 'for payments and products of an account that awaits consent',
  },
  {
    promise: 'An account that awaits consent is not paid',
    file: src('money/payments/accounts.ts'),
    find: ".where('accounts.awaits_consent', 'is', null)",
    replace: '',
    test: pending,
    name: 'for payments and products of an account that awaits consent',
  },
  {
    promise: 'An account that awaits consent sends no events',
    file: src('people/accounts/change.ts'),
    find: 'if (row.awaits_consent !== null) return row',
    replace: '',
    test: pending,
    name: 'send no events after their holder is disabled',
  },
  {
    promise: 'Waiting accounts are announced once a look',
    file: src('people/products/connect/product.ts'),
    find: 'if (record.subscription_id === null) await',
    replace: 'await',
    test: pending,
    name: 'gets one event',
  },
  {
    promise: 'An older version, which cannot say what waits, does not show it',
    file: src('versions/2025-07-04.ts'),
    find: "behaviours: ['approved_accounts'],",
    replace: 'behaviours: [],',
    test: pending,
    name: 'never for an older version',
  },
  {
    promise: 'A person who was connected only by the team is not asked',
    file: src('people/products/connect/pending.ts'),
    find: 'entity.element_connect_at !== null && ',
    replace: '',
    test: future,
    name: 'connected only by the team',
  },
  {
    promise: 'Withdrawing consent forgets what was said of later accounts',
    file: src('privacy/entity.ts'),
    find: '    future_accounts_at: null,\n',
    replace: '',
    test: future,
    name: 'forgotten with all else',
  },
  ...[
    {
      promise: 'An agreement of an earlier session is not revealed before the bearer proves the phone',
      find: '  if (facts.phoneDue) return []\n',
      name: 'is not revealed to a bearer',
    },
    {
      promise: 'An agreement counts only if its session confirmed who the person is',
      find: "    .where(is => is.or([is('sessions.connect_id', 'is not', null), is('sessions.completed_at', 'is not', null)]))\n",
      name: 'never confirmed who the person is',
    },
    {
      promise: 'An agreement counts only under the name that its documents showed',
      find: ' && named !== null && named === progress.named',
      name: 'under another name',
    },
    {
      promise: 'An agreement counts for a year',
      find: "    .where('consents.created_at', '>', scope.now - YEAR)\n",
      name: 'after a year',
    },
  ].map(each => ({ file: src('flow/sessions/agreements.ts'), replace: '', test: agreements, ...each })),
  {
    promise: 'Withdrawing consent ends the agreements of every session',
    file: src('privacy/entity.ts'),
    find: `      progress: sql<string>\`replace(progress, '"consented":true', '"consented":false')\`,\n`,
    replace: '',
    test: agreements,
    name: 'ends with the consent of the person',
  },
  {
    promise: 'A document that was not agreed to before must be agreed to',
    file: src('flow/steps/consent/step.ts'),
    find: 'if (carried.length < missing.length) ',
    replace: 'if (missing.length > 99) ',
    test: agreements,
    name: 'leaves only what is new',
  },
]

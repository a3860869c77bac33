/** Mutations that let a console user see or do more than permitted. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`
const limits = src('console/limits.test.ts')
const requests = src('console/console.test.ts')
const masked = src('console/mask.test.ts')
const reveals = src('console/reveal.test.ts')

export const consoleMutations = [
  {
    promise: 'The console masks API responses',
    file: src('console/app.ts'),
    find: 'JSON.stringify(mask(isLink ? onlyLink(shownBody) : shownBody))',
    replace: 'JSON.stringify(isLink ? onlyLink(shownBody) : shownBody)',
    test: requests,
    name: 'no personal data',
  },
  {
    promise: 'The console masks values that customers and data networks stored, regardless of their names',
    file: src('console/mask.ts'),
    find: '|| foreign.has(name)',
    replace: '',
    test: masked,
    name: 'replaces every value in metadata',
  },
  {
    promise: 'The console masks the body of a delivery and the response to it',
    file: src('console/mask.ts'),
    find: "if (written.has(name) && typeof value === 'string') return maskJsonText(value)",
    replace: '',
    test: masked,
    name: 'masks a text body',
  },
  {
    promise: 'A console session ends with its key',
    file: src('console/users.ts'),
    find: 'if (!scopes || !role) throw signedOut()',
    replace:
      'if (!scopes || !role) return { session, team, role: "viewer", operator: false, scopes: new Set(["read"]) }',
    test: requests,
    name: 'ends on sign-out, when its key is revoked',
  },
  {
    promise: 'A key has at most ten console sessions',
    file: src('console/store.ts'),
    find: 'open.slice(MOST - 1)',
    replace: '[]',
    test: requests,
    name: 'ends when its key opens ten more sessions',
  },
  {
    promise: 'The console accepts requests only from its own pages',
    file: src('console/app.ts'),
    find: "(site !== undefined && site !== 'same-origin') || ",
    replace: '',
    test: requests,
    name: 'are rejected by origin',
  },
  {
    promise: 'A role never exceeds the scopes of its key',
    file: src('console/roles.ts'),
    find: 'granted[role].filter(scope => held === null || held.has(scope))',
    replace: 'granted[role]',
    test: requests,
    name: 'for a key with',
  },
  {
    promise: 'A link created in the console cannot set loan terms',
    file: src('console/links.ts'),
    find: "mode !== 'balance_transfer'",
    replace: 'mode.length > 0',
    test: limits,
    name: 'sets no terms',
  },
  {
    promise: "A link's token never reaches a console user",
    file: src('console/links.ts'),
    find: 'const { token: _, element_token: __, ...rest } = answer as Body',
    replace: 'const rest = answer as Body',
    test: limits,
    name: 'returns no token',
  },
  {
    promise: 'A console user who may not pay does not use up the payment limit',
    file: src('platform/http/pipeline.ts'),
    find: `incoming.user?.user ?? (caller.session === undefined ? tree : caller.actor), route)
    const scope`,
    replace: `caller.session === undefined ? tree : caller.actor, route)
    const scope`,
    test: limits,
    name: 'do not let a user without permission use up',
  },
  {
    promise: 'Searches for whole phone numbers are limited',
    file: src('console/searches.ts'),
    find: 'most: 200',
    replace: 'most: 2_000_000',
    test: limits,
    name: 'allow a key 200 full phone number searches per day',
  },
  {
    promise: 'A reveal requires the sensitive scope',
    file: src('console/reveal.ts'),
    find: "(scopes === null || scopes.has('sensitive'))",
    replace: 'true',
    test: reveals,
    name: 'not to a viewer',
  },
  {
    promise: 'A reveal is in the audit log',
    file: src('console/reveal.ts'),
    find: "      await auditReason(scope, actorOf(user.session), 'entity.reveal',",
    replace: "      void (async (..._: unknown[]) => {})(scope, actorOf(user.session), 'entity.reveal',",
    test: reveals,
    name: 'records who read them and why',
  },
  {
    promise: 'An audit entry names the console request',
    file: src('console/app.ts'),
    find: 'deps: { ...deps, requestId },',
    replace: 'deps,',
    test: reveals,
    name: 'records who read them and why',
  },
  {
    promise: 'Only operators can use the operator endpoints',
    file: src('console/operator.ts'),
    find: '    requireOperator(given)\n',
    replace: '',
    test: src('console/operator.test.ts'),
    name: 'rejects users who are not operators',
  },
  {
    promise: 'The host page receives no event for a wrong attempt',
    file: src('flow/sessions/events.ts'),
    find: "    .where('type', '!=', ATTEMPT_FAILED)\n",
    replace: '',
    test: src('timeline/timeline.test.ts'),
    name: 'contains a wrong code',
  },
  {
    promise: "A person's wrong attempt at a number is in their timeline",
    file: src('people/accounts/verification-tries.ts'),
    find: 'await refused?.(tx)',
    replace: '',
    test: src('timeline/timeline.test.ts'),
    name: 'contains each wrong attempt',
  },
]

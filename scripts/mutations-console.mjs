/** Mutations that let a console user see or do more than permitted. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`
const limits = src('console/limits.test.ts')
const requests = src('console/console.test.ts')
const masked = src('console/mask.test.ts')
const reveals = src('console/reveal.test.ts')

export const consoleMutations = [
  {
    promise: 'The console masks the answers of the API',
    file: src('console/app.ts'),
    find: 'JSON.stringify(mask(isLink ? onlyLink(shownBody) : shownBody))',
    replace: 'JSON.stringify(isLink ? onlyLink(shownBody) : shownBody)',
    test: requests,
    name: 'no personal data',
  },
  {
    promise: 'The console masks what customers and data networks stored under any name',
    file: src('console/mask.ts'),
    find: '|| foreign.has(name)',
    replace: '',
    test: masked,
    name: 'replaces every value in metadata',
  },
  {
    promise: 'The console masks what a delivery sent and what was answered to it',
    file: src('console/mask.ts'),
    find: "if (written.has(name) && typeof value === 'string') return maskJsonText(value)",
    replace: '',
    test: masked,
    name: 'masks a text body',
  },
  {
    promise: 'A session of the console ends with its key',
    file: src('console/users.ts'),
    find: 'if (!scopes || !role) throw signedOut()',
    replace:
      'if (!scopes || !role) return { session, team, role: "viewer", operator: false, scopes: new Set(["read"]) }',
    test: requests,
    name: 'ends on sign-out, when its key is revoked',
  },
  {
    promise: 'A key of the console has at most ten sessions',
    file: src('console/store.ts'),
    find: 'open.slice(MOST - 1)',
    replace: '[]',
    test: requests,
    name: 'ends when its key opens ten later sessions',
  },
  {
    promise: 'Requests to the console come from its own pages',
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
    promise: 'A link made in the console sets no terms of a loan',
    file: src('console/links.ts'),
    find: "mode !== 'balance_transfer'",
    replace: 'mode.length > 0',
    test: limits,
    name: 'sets no terms',
  },
  {
    promise: "A link's token never reaches a user of the console",
    file: src('console/links.ts'),
    find: 'const { token: _, element_token: __, ...rest } = answer as Body',
    replace: 'const rest = answer as Body',
    test: limits,
    name: 'returns no token',
  },
  {
    promise: 'A user of the console who may not pay uses up none of the limit of payments',
    file: src('platform/http/pipeline.ts'),
    find: `incoming.user?.user ?? (caller.session === undefined ? tree : caller.actor), route)
    const scope`,
    replace: `caller.session === undefined ? tree : caller.actor, route)
    const scope`,
    test: limits,
    name: 'use up the limits of the API',
  },
  {
    promise: 'Searches for whole phone numbers are limited',
    file: src('console/searches.ts'),
    find: 'most: 200',
    replace: 'most: 2_000_000',
    test: limits,
    name: '200 searches',
  },
  {
    promise: 'A reveal needs the scope sensitive',
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
    promise: 'An audit entry names the request of the console',
    file: src('console/app.ts'),
    find: 'deps: { ...deps, requestId },',
    replace: 'deps,',
    test: reveals,
    name: 'records who read them and why',
  },
  {
    promise: 'Only operators use the endpoints of operators',
    file: src('console/operator.ts'),
    find: '    requireOperator(given)\n',
    replace: '',
    test: src('console/operator.test.ts'),
    name: 'rejects users who are not operators',
  },
]

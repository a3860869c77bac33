/** Mutations of calls to an operator's connector. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

export const connectorMutations = [
  {
    promise: 'The service queries the outcome of an act before it sends the act again',
    file: src('network/connectors/ask.ts'),
    find: "if (method.kind === 'act' && error.outcome === 'unknown') uncertain = true",
    replace: '',
    test: src('network/connectors/repeated-calls.test.ts'),
  },
  {
    promise: 'The outcome of an act that was sent before a crash is queried first',
    file: src('network/connectors/ask.ts'),
    find: "method.kind === 'act' && (await sent.before(path, request_id, team_id))",
    replace: 'false',
    test: src('network/connectors/ports.test.ts'),
    name: 'that was sent by a crashed process is queried first',
  },
  {
    promise: "A connector's answer must be for the call that was sent",
    file: src('network/connectors/signature.ts'),
    find: 'subject: about,',
    replace: '',
    test: src('network/connectors/ports.test.ts'),
    name: 'a replayed response to another call',
  },
  {
    promise: "A connector's answer must match its signature",
    file: src('network/connectors/signature.ts'),
    find: 'return said.length === real.length && timingSafeEqual(said, real) ? payload.jti : undefined',
    replace: 'return payload.jti',
    test: src('network/connectors/signature.test.ts'),
  },
  {
    promise: 'A push is processed once',
    file: src('network/connectors/pushes.ts'),
    find: "if (!first) return 'duplicate'",
    replace: '',
    test: src('network/connectors/pushes.test.ts'),
    name: 'that arrives twice counts once',
  },
  {
    promise: 'A partial return never exceeds the amount that arrived',
    file: src('network/connectors/rail-methods.ts'),
    find: ' || isPart(returned, amount - fee)',
    replace: ' || returned > 0',
    test: src('network/connectors/rail-checks.test.ts'),
    name: 'return',
  },
  {
    promise: 'An impossible answer from a rail is rejected, from any connector',
    file: src('network/connectors/rail-checks.ts'),
    find: 'if (method.answer.safeParse(answer ?? null).success && !method.impossible?.(call, answer)) return answer',
    replace: 'return answer',
    test: src('network/connectors/rail-checks.test.ts'),
    name: 'an impossible report from the rail moves nothing',
  },
  {
    promise: 'Production does not start with the sandbox',
    file: src('main/config.ts'),
    find: "if (adapter === 'sandbox' && environment === 'production')",
    replace: 'if (false)',
    test: src('main/config.test.ts'),
  },
]

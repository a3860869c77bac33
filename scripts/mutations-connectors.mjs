/** Mutations of calls to an operator's connector. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

export const connectorMutations = [
  {
    promise: 'A connector is asked what came of an act before it is sent again',
    file: src('network/connectors/ask.ts'),
    find: "if (method.kind === 'act' && error.outcome === 'unknown') uncertain = true",
    replace: '',
    test: src('network/connectors/repeated-calls.test.ts'),
  },
  {
    promise: 'An act that left before a crash is asked for first',
    file: src('network/connectors/ask.ts'),
    find: "method.kind === 'act' && (await sent.before(path, request_id, team_id))",
    replace: 'false',
    test: src('network/connectors/ports.test.ts'),
    name: 'that a dead process sent is queried first',
  },
  {
    promise: "A connector's answer is to the call that was sent",
    file: src('network/connectors/signature.ts'),
    find: 'subject: about,',
    replace: '',
    test: src('network/connectors/ports.test.ts'),
    name: 'a replayed response to another call',
  },
  {
    promise: "A connector's answer is as it was signed",
    file: src('network/connectors/signature.ts'),
    find: 'return said.length === real.length && timingSafeEqual(said, real) ? payload.jti : undefined',
    replace: 'return payload.jti',
    test: src('network/connectors/signature.test.ts'),
  },
  {
    promise: 'A push is taken once',
    file: src('network/connectors/pushes.ts'),
    find: "if (!first) return 'duplicate'",
    replace: '',
    test: src('network/connectors/pushes.test.ts'),
    name: 'that arrives twice counts once',
  },
  {
    promise: 'No more comes back of a payment in part than arrived',
    file: src('network/connectors/rail-methods.ts'),
    find: ' || isPart(returned, amount - fee)',
    replace: ' || returned > 0',
    test: src('network/connectors/rail-checks.test.ts'),
    name: 'return',
  },
  {
    promise: 'An answer that a rail cannot give is not believed, from any connector',
    file: src('network/connectors/rail-checks.ts'),
    find: 'if (method.answer.safeParse(answer ?? null).success && !method.impossible?.(call, answer)) return answer',
    replace: 'return answer',
    test: src('network/connectors/rail-checks.test.ts'),
    name: 'an impossible report of the rail',
  },
  {
    promise: 'Production does not start with the sandbox',
    file: src('main/config.ts'),
    find: "if (adapter === 'sandbox' && environment === 'production')",
    replace: 'if (false)',
    test: src('main/config.test.ts'),
  },
]

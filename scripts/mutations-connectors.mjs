/** Deliberate mistakes towards an operator's connector. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

export const connectorMutations = [
  {
    promise: 'A connector is asked what came of an act before it is sent again',
    file: src('connectors/ask.ts'),
    find: "if (method.kind === 'act' && error.outcome === 'unknown') uncertain = true",
    replace: '',
    test: src('connectors/once.test.ts'),
  },
  {
    promise: 'An act that left before a crash is asked for first',
    file: src('connectors/ask.ts'),
    find: "method.kind === 'act' && (await sent.before(path, request_id, team_id))",
    replace: 'false',
    test: src('connectors/ports.test.ts'),
  },
  {
    promise: "A connector's answer is to the call that was sent",
    file: src('connectors/signature.ts'),
    find: 'subject: about,',
    replace: '',
    test: src('connectors/ports.test.ts'),
  },
  {
    promise: "A connector's answer is as it was signed",
    file: src('connectors/signature.ts'),
    find: 'return said.length === real.length && timingSafeEqual(said, real) ? payload.jti : undefined',
    replace: 'return payload.jti',
    test: src('connectors/signature.test.ts'),
  },
  {
    promise: 'A push is taken once',
    file: src('connectors/pushes.ts'),
    find: "if (!first) return 'duplicate'",
    replace: '',
    test: src('connectors/pushes.test.ts'),
  },
  {
    promise: 'No more comes back of a payment in part than arrived',
    file: src('connectors/rail-methods.ts'),
    find: ' || isPart(returned, amount - fee)',
    replace: ' || returned > 0',
    test: src('connectors/sound.test.ts'),
    name: 'came back',
  },
  {
    promise: 'What a rail cannot say is not believed, whoever answers for it',
    file: src('connectors/sound.ts'),
    find: 'if (method.answer.safeParse(answer ?? null).success && !method.impossible?.(call, answer)) return answer',
    replace: 'return answer',
    test: src('connectors/sound.test.ts'),
  },
  {
    promise: 'Production does not start with the sandbox',
    file: src('config.ts'),
    find: "if (adapter === 'sandbox' && environment === 'production')",
    replace: 'if (false)',
    test: src('config.test.ts'),
  },
]

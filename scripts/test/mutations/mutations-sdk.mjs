/** Mutations of the SDK. For `mutations.mjs`. */
const transport = 'packages/sdk/src/transport.ts'
const transportTest = 'packages/sdk/src/sdk.test.ts'
const webhook = 'packages/sdk/src/verify-webhook.ts'
const webhookTest = 'packages/sdk/src/verify-webhook.test.ts'
const result = 'packages/sdk/src/verify-result.ts'
const resultTest = 'packages/sdk/src/verify-result.test.ts'

export const sdkMutations = [
  {
    promise: 'A POST without a key is not repeated if it may have been processed',
    file: transport,
    find: "call.method === 'GET' || key !== null",
    replace: "call.method === 'GET' || call.method === 'POST' || key !== null",
    test: transportTest,
  },
  {
    promise: 'Reusing a key for a different request is an error',
    file: transport,
    find: "headers.get('Idempotency-Mismatch') === 'true'",
    replace: "headers.get('Idempotency-Mismatch') === 'yes'",
    test: transportTest,
  },
  {
    promise: 'The accounts that a release did not pay are listed',
    file: 'packages/sdk/src/resources/opal.ts',
    find: 'else outcome.failed.push(',
    replace: 'else [].push(',
    test: transportTest,
    name: 'and those that it did not',
  },
  {
    promise: 'A recorded and replayed delivery is rejected',
    file: webhook,
    find: 'Math.abs(time / 1000 - Number(timestamp)) > tolerance',
    replace: 'Number(timestamp) - now() / 1000 > tolerance',
    test: webhookTest,
  },
  {
    promise: 'A delivery must be signed by one of the secrets',
    file: webhook,
    find: 'if (!(await anyMatches(',
    replace: 'if (!(secrets.length > 0) && !(await anyMatches(',
    test: webhookTest,
  },
  {
    promise: 'A result of another team is rejected',
    file: result,
    find: 'claims.aud !== audience',
    replace: '!claims.aud.includes(audience)',
    test: resultTest,
  },
  {
    promise: 'A result is accepted until it expires',
    file: result,
    find: 'if (!(claims.exp + LEEWAY > now() / 1000))',
    replace: 'if (claims.exp + LEEWAY < now() / 1000)',
    test: resultTest,
  },
]

/** Mutations of idempotency keys and of the requests that carry them. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

const idempotency = { file: src('platform/http/idempotency.ts'), test: src('platform/http/idempotency.test.ts') }
const transport = { file: src('platform/http/single-headers.ts'), test: src('platform/http/single-headers.test.ts') }
export const idempotencyMutations = [
  {
    promise: 'A key belongs to its first request, regardless of later requests',
    find: "if (inserted) return { state: 'mine' }",
    replace: "if (inserted || wanted) return { state: 'mine' }",
    // If the requests reach two processes, the claim decides which request gets the key. Within one process, an earlier
    // check decides.
    test: src('platform/http/idempotency.test.ts'),
    name: '100 posts with one key',
    engine: 'postgres',
  },
  {
    promise: 'A key of one team does not affect another team',
    find: ".where('team_id', '=', given.team)",
    replace: '',
    name: 'of one team does not affect another',
  },
  {
    promise: 'A replay reports a different method, path or body',
    find: 'row.path !== claim.path || row.body_hash !== claim.bodyHash',
    replace: 'false',
    name: 'reports a mismatch if the path or body differs',
  },
  {
    promise: 'A key has at most 255 characters',
    file: src('platform/http/idempotency-key.ts'),
    find: 'MAX_CHARACTERS = 255',
    replace: 'MAX_CHARACTERS = 256',
    name: '1 to 255 characters',
  },
  {
    promise: 'A key in the query is used if there is no header',
    file: src('platform/http/idempotency-key.ts'),
    find: 'header === undefined ? inQuery :',
    replace: 'header === undefined ? undefined :',
    name: 'in the query applies',
  },
  {
    promise: 'Equal copies of a key in two headers are one key',
    ...transport,
    find: "if (earlier && value !== '' && unquote(earlier) !== unquote(value)) return raw[at]",
    replace: 'if (earlier) return raw[at]',
    name: 'two equal headers',
  },
  {
    promise: 'A request with two different keys is rejected',
    ...transport,
    find: "if (earlier && value !== '' && unquote(earlier) !== unquote(value)) return raw[at]",
    replace: '',
    name: 'two different headers',
  },
  {
    promise: 'Copies of a key that a proxy joined are one key',
    ...transport,
    find: 'if (others.every(other => unquote(other) === unquote(copy))) return copy',
    replace: '',
    name: 'joined by a proxy',
  },
  {
    promise: 'A key in double quotes is the key inside them',
    ...transport,
    find: 'return isQuoted ? text.slice(1, -1) : text',
    replace: 'return text',
    name: 'in double quotes',
  },
  {
    promise: "A key's bytes are never replaced",
    ...transport,
    file: src('platform/http/idempotency-key.ts'),
    find: 'fatal: true',
    replace: 'fatal: false',
    name: 'bytes that are not UTF-8',
  },
  {
    promise: 'A body in which a member occurs twice is rejected',
    file: src('platform/http/json-source.ts'),
    test: src('platform/http/json-source.test.ts'),
    find: "if (level.names.has(name)) return { kind: 'repeated', path: pathTo() }",
    replace: '',
    name: 'moves no money',
  },
  {
    promise: 'Stored responses are sealed',
    find: "body: sealer(scope).seal({ id: owned.key, field: 'answer' }, answerJson.write(rendered))",
    replace: 'body: answerJson.write(rendered)',
    name: 'is stored encrypted',
  },
  {
    promise: 'A fault rolls back the effect and stores the response',
    file: src('platform/http/execute.ts'),
    find: 'const made = await run(tx).catch(error => {',
    replace: 'const made = await run(tx).catch(error => { return refuse(base, route, enveloped, error)',
    name: 'is stored after its effect is rolled back',
  },
  {
    promise: 'While the claim table is missing, a POST with a key returns 503',
    find: ": new ServiceError('IDEMPOTENCY_UNAVAILABLE', undefined, { 'Retry-After': '1' })",
    replace: ": new ServiceError('INTERNAL_ERROR')",
    test: src('platform/http/idempotency-down.test.ts'),
    name: 'without the table',
  },
  {
    promise: 'While a fault of the claim table is simulated, a POST with a key has no effect',
    file: src('platform/http/pipeline.ts'),
    find: "if ((await deps.faults.of(team.id, 'idempotency')) !== null) throw new ServiceError('IDEMPOTENCY_UNAVAILABLE')",
    replace: '',
    test: src('platform/http/idempotency-down.test.ts'),
    name: 'with a sandbox fault',
  },
  {
    promise: 'Responses are stored for at least 72 hours',
    file: src('platform/jobs/sweep.ts'),
    find: "byAge('idempotency', 7 * DAY",
    replace: "byAge('idempotency', 2 * DAY",
    test: src('platform/jobs/sweep.test.ts'),
    name: 'is kept for at least 72 hours',
  },
].map(each => ({ ...idempotency, ...each }))

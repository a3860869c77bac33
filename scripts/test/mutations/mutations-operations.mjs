/**
 * Mutations of features that operators rely on: request ids, the request log, `doctor`, startup and shutdown. For
 * `mutations.mjs`.
 */
const src = path => `apps/api/src/${path}`

const caused = { test: src('main/request-effects.test.ts'), name: 'a request can be traced to its events' }
const requests = [
  {
    promise: 'An event names the request that caused it',
    file: src('notify/events/store.ts'),
    find: 'request_id: scope.deps.requestId ?? null',
    replace: 'request_id: null',
  },
  {
    promise: 'A delivery names the request that caused it',
    file: src('notify/webhooks/outbox.ts'),
    find: 'request_id: scope.deps.requestId ?? null',
    replace: 'request_id: null',
  },
  {
    promise: 'A job names the request that caused it',
    file: src('platform/jobs/statements.ts'),
    find: 'request_id: deps.requestId ?? null',
    replace: 'request_id: null',
  },
  {
    promise: 'A job runs under the id of the request that caused it',
    file: src('platform/jobs/jobs.ts'),
    find: 'depsFor(all, request_id ?? undefined)',
    replace: 'depsFor(all, undefined)',
  },
  {
    promise: 'An audit entry names the request that caused it',
    file: src('platform/audit/store.ts'),
    find: 'request_id: scope.deps.requestId ?? null',
    replace: 'request_id: null',
    name: "a full number read and a session's steps are",
  },
].map(each => ({ ...caused, ...each }))

const examined = { file: src('main/doctor-checks.ts'), test: src('main/doctor.test.ts') }
const doctor = [
  {
    promise: 'doctor reports a clock that is slow as well as one that is fast',
    find: 'Math.abs(store.clock() - Date.now())',
    replace: 'store.clock() - Date.now()',
    name: 'the clock',
  },
  {
    promise: 'doctor reports a disk that is nearly full',
    find: 'if (free < ROOM.problem)',
    replace: 'if (free < 0)',
    name: 'a disk with less',
  },
  {
    promise: 'doctor reports a missing table',
    find: 'if (unusable !== null) return problem(unusable)',
    replace: '',
    name: 'lost a table',
  },
].map(each => ({ ...examined, ...each }))

const process = [
  {
    promise: 'An interrupted migration changes nothing',
    file: src('platform/db/migrate.ts'),
    find: 'await db.transaction().execute(step)',
    replace: 'await db.connection().execute(step)',
    test: src('platform/db/migrate.test.ts'),
    name: 'is interrupted at any statement',
  },
  {
    promise: 'An empty file is not treated as a new store',
    file: src('platform/db/sqlite.ts'),
    find: '?.size !== 0) return',
    replace: '?.size !== -1) return',
    test: src('platform/db/store-file.test.ts'),
    name: 'in an empty file',
  },
  {
    promise: 'A lock that cannot be written is not attributed to another process',
    file: src('platform/db/lock.ts'),
    find: '.errcode !== BUSY',
    replace: '.errcode === undefined',
    test: src('platform/db/store-file.test.ts'),
    name: 'whose lock cannot be written',
  },
  {
    promise: 'A service whose file was deleted is not ready',
    file: src('platform/db/store.ts'),
    find: 'statSync(path, { throwIfNoEntry: false })?.ino !== ino',
    replace: 'false',
    test: src('platform/db/store-file.test.ts'),
    name: 'deleted or replaced',
  },
  {
    promise: 'An operator command uses PostgreSQL as the service does',
    file: src('main/operator.ts'),
    find: 'openBeside(databaseUrl, { prepared, timeout })',
    replace: 'openBeside(databaseUrl)',
    test: src('main/operator.test.ts'),
    name: "uses PostgreSQL with the service's settings",
    engine: 'postgres',
  },
  {
    promise: 'The service does not start with a store that lacks a table',
    file: src('platform/db/store.ts'),
    find: 'if (problem !== null) throw new Error(problem)',
    replace: '',
    test: src('platform/db/store.test.ts'),
    name: 'lacks tables',
  },
  {
    promise: 'Nothing is removed before the additions of this version are applied',
    file: src('platform/db/migrate.ts'),
    find: "if (known && phase === 'contract' && pending(known, list, 'expand').length > 0)",
    replace: 'if (false)',
    test: src('platform/db/migrate.test.ts'),
    name: 'removes nothing before its own tables are added',
  },
  {
    promise: 'A migration waits for a lock only briefly',
    file: src('platform/db/migrate.ts'),
    find: 'String(LOCK_WAIT)',
    replace: "'0'",
    test: src('platform/db/migrate.test.ts'),
    name: 'lets others use it meanwhile',
    engine: 'postgres',
  },
  {
    promise: 'A service is not ready before its API responds',
    file: src('main/run.ts'),
    find: 'let ready = false',
    replace: 'let ready = true',
    test: src('main/start.isolated.test.ts'),
  },
  {
    promise: 'A shutdown finishes sending the responses in progress',
    file: src('main/listen.ts'),
    find: "outgoing.once('finish', () => {",
    replace: "outgoing.once('prefinish', () => {",
    test: src('main/listen.test.ts'),
    name: 'slow client',
  },
]

const upgrade = { test: src('main/upgrade.test.ts') }
const upgrades = [
  {
    promise: 'An upgrade copies the time of an event to its deliveries',
    file: src('platform/db/upgrade/upgrade.ts'),
    find: 'select created_at from old_events',
    replace: 'select created_at + 1 from old_events',
    ...upgrade,
    name: 'keeps every row, with its team',
  },
  {
    promise: 'An upgrade links each open session to its team',
    file: src('platform/db/upgrade/upgrade.ts'),
    find: "    ['bearers', 'hash'],\n",
    replace: '',
    ...upgrade,
    name: 'returns its payments, responses, events and people as before',
  },
  {
    promise: 'The service does not change an old store in PostgreSQL',
    file: src('platform/db/migrate.ts'),
    find: 'if (isOld && !upgrades)',
    replace: 'if (isOld && upgrades === undefined)',
    engine: 'postgres',
    ...upgrade,
    name: 'is left unchanged by the service',
  },
]

const log = [
  {
    promise: 'Bodies of different teams are sealed with different keys',
    file: src('platform/http/request-log.ts'),
    find: 'let own = open.get(team.id)',
    replace: 'let [own] = open.values()',
    test: src('team/requests/requests.test.ts'),
    name: 'are separate for each team',
  },
  {
    promise: 'A request is counted once, even if its batch is written again',
    file: src('platform/http/request-log.ts'),
    find: 'isUnsure ? writeMissing(batch) : write(batch)',
    replace: 'write(batch)',
    test: src('team/requests/requests.test.ts'),
    name: 'counted once',
  },
  {
    promise: 'A request is counted once, even if its first commit completes late',
    file: src('platform/http/request-log.ts'),
    find: ' || (isUnsure && errorCode(error) === DUPLICATE)',
    replace: '',
    engine: 'postgres',
    test: src('team/requests/requests.test.ts'),
    name: 'the first attempt commits while the batch',
  },
  {
    promise: 'The sweep deletes the references to old requests',
    file: src('platform/jobs/sweep.ts'),
    find: 'if (refs.length > 0) await removeRefs(tx, refs)',
    replace: '',
    test: src('team/requests/requests.test.ts'),
    name: 'requests for 30 days',
  },
  {
    promise: 'The request log is written in few batches',
    file: src('platform/http/request-log.ts'),
    find: 'for (let left = waiting.length; left > 0; ) {',
    replace: 'for (let left = BATCH; waiting.length > 0; left = BATCH) {',
    test: src('team/requests/requests.test.ts'),
    name: 'arrive during a write',
  },
  {
    promise: 'The request log never waits for the disk on PostgreSQL',
    file: src('platform/http/request-store.ts'),
    find: "set_config('synchronous_commit', 'off', true)",
    replace: "set_config('synchronous_commit', 'on', true)",
    engine: 'postgres',
    test: src('team/requests/requests.test.ts'),
    name: 'does not wait for the disk',
  },
  {
    promise: 'Bodies of requests are deleted after 7 days',
    file: src('platform/jobs/sweep.ts'),
    find: "byAge('request_bodies', BODIES,",
    replace: "byAge('request_bodies', 30 * DAY,",
    test: src('team/requests/requests.test.ts'),
    name: 'bodies are kept for 7 days',
  },
]

export const operationMutations = [...upgrades, ...requests, ...log, ...doctor, ...process]

/** Mutations of behavior under load: shared commits, jobs and their leases, and limits. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`

export const loadMutations = [
  {
    promise: 'What a writer throws undoes its own work alone',
    file: src('platform/db/group.ts'),
    find: 'await undo(db).catch',
    replace: 'await Promise.resolve().catch',
    test: src('platform/db/group.test.ts'),
  },
  {
    promise: 'A team that floods the service waits for itself',
    file: src('platform/http/admission.ts'),
    find: '(elapsed() < contested ? share : Number.POSITIVE_INFINITY)',
    replace: 'Number.POSITIVE_INFINITY',
    test: src('platform/http/admission.test.ts'),
    name: 'are divided',
  },
  {
    promise: 'A rate limit holds for all processes together',
    file: src('platform/http/limits.ts'),
    find: 'roll(known, now) + others >=',
    replace: 'roll(known, now) >=',
    test: src('platform/http/shared-limits.test.ts'),
  },
  {
    promise: 'No writer gets its result before the commit',
    file: src('platform/db/group.ts'),
    find: 'tell.push(() => reject(error))',
    replace: 'reject(error)',
    test: src('platform/db/group.test.ts'),
  },
  {
    promise: 'A long job stays with its process',
    file: src('platform/jobs/jobs.ts'),
    find: 'renewing ??= setInterval(renew, RENEW).unref()',
    replace: '',
    test: src('platform/jobs/lease.test.ts'),
    name: 'stays with its process',
  },
  {
    promise: 'A job that was taken over has no second effect',
    file: src('platform/jobs/jobs.ts'),
    find: 'if (!ours) throw new LeaseLost()',
    replace: '',
    test: src('platform/jobs/lease.test.ts'),
    name: 'stays with its process',
  },
  {
    promise: 'A commit that waits for a standby is not called a success by a time limit',
    file: src('platform/db/postgres.ts'),
    find: "asked === 'commit' ? COMMIT : asked",
    replace: 'asked',
    test: src('platform/db/failover.test.ts'),
    engine: 'postgres',
  },
  {
    promise: 'A server that takes no writes is not asked what it holds',
    file: src('platform/db/postgres.ts'),
    find: '    verify: refuseStandby,\n',
    replace: '',
    test: src('platform/db/failover.test.ts'),
    engine: 'postgres',
  },
]

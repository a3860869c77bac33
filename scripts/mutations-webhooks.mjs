/** Deliberate mistakes in what goes out: to whom, how often, signed by what, and where it may lead. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`
const deliveries = { file: src('webhooks/deliver.ts'), test: src('webhooks/deliver.test.ts') }
const pauses = src('webhooks/pauses.test.ts')
const outbound = { file: src('outbound/outbound.ts'), test: src('outbound/outbound.test.ts') }

export const webhookMutations = [
  {
    promise: 'Webhooks: nothing is sent to one that is off',
    ...deliveries,
    find: "if (going?.delivery.status !== 'pending' || !isOn(going.webhook.status)) return skip(id)",
    replace: 'if (!going) return skip(id)',
  },
  {
    promise: 'Webhooks: a redirect is a failure',
    file: src('webhooks/webhook.ts'),
    find: 'outcome.status >= 200 && outcome.status < 300',
    replace: 'outcome.status >= 200 && outcome.status < 400',
    test: deliveries.test,
  },
  {
    promise: 'Webhooks: a busy receiver is left alone',
    ...deliveries,
    find: 'const pause = pauseFor(outcome, lane.failures)',
    replace: 'const pause = 0 && pauseFor(outcome, lane.failures)',
    test: pauses,
  },
  {
    promise: 'Webhooks: a delivery is signed with its webhook’s secret',
    file: src('webhooks/sign.ts'),
    find: 'hmac(newest, ',
    replace: "hmac('', ",
    test: src('webhooks/sign.test.ts'),
  },
  {
    promise: 'Webhooks: an event is shown at the team’s version',
    ...deliveries,
    find: 'showEvents(scope, [event], scope.team.version)',
    replace: "showEvents(scope, [event], '2026-03-30')",
  },
  {
    promise: 'Webhooks: one address has a bound',
    file: src('jobs/lanes.ts'),
    find: 'busy(lane) >= (fails ? bounds.failing : bounds.lane)',
    replace: 'busy(lane) >= bounds.all',
    test: src('webhooks/redeliver.test.ts'),
  },
  {
    promise: 'Webhooks: what an endpoint asks for holds for that endpoint alone',
    file: src('webhooks/webhook.ts'),
    find: '{pathname}`',
    replace: "{''}`",
    test: pauses,
  },
  {
    promise: 'Webhooks: one that is switched on again is judged anew',
    file: src('webhooks/status.ts'),
    find: 'Math.max(tx.now - DAY, counted_since)',
    replace: 'tx.now - DAY',
    test: deliveries.test,
  },
  {
    promise: 'Webhooks: who sends again does not wait for what the endpoint asked for before',
    file: src('webhooks/redeliver.ts'),
    find: '  // Whoever ends an attempt takes the lane before the delivery too.\n  await freeLane(scope.db, webhook.lane)\n',
    replace: '',
    test: pauses,
  },
  {
    promise: 'Webhooks: every address of a name is checked',
    ...outbound,
    find: 'if (!found.every(',
    replace: 'if (!found.some(',
  },
  {
    promise: 'Webhooks: our own ports are not called at our address without a name',
    ...outbound,
    find: "if (isOurs(isLocalName(host) ? '127.0.0.1' : host, port))",
    replace: 'if (local && ownPorts().includes(port))',
  },
  {
    promise: 'Webhooks: an address without a name is checked too',
    ...outbound,
    find: 'if (local ? !loopback : isIP(host) !== 0 && !isPublic(host)) throw refused()',
    replace: 'if (local && !loopback) throw refused()',
  },
  {
    promise: 'Reports: what failed is listed for the day on which it did',
    file: src('reports/rows.ts'),
    find: ".where('failed_at', '>=', report.from_time)",
    replace: ".where('status', '=', 'failed')",
    test: src('reports/reports.test.ts'),
  },
  {
    promise: 'Reports: a file that was not written to its end is no part of the next',
    file: src('reports/store.ts'),
    find: ".where('file', '=', file)",
    replace: '',
    test: src('reports/reports.test.ts'),
  },
]

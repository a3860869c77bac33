/** Mutations of webhooks, outbound calls and reports. For `mutations.mjs`. */
const src = path => `apps/api/src/${path}`
const deliveries = { file: src('notify/webhooks/deliver.ts'), test: src('notify/webhooks/deliver.test.ts') }
const pauses = src('notify/webhooks/pauses.test.ts')
const outbound = { file: src('platform/outbound/outbound.ts'), test: src('platform/outbound/outbound.test.ts') }

export const webhookMutations = [
  {
    promise: 'Webhooks: nothing is sent to one that is off',
    ...deliveries,
    find: "if (going?.delivery.status !== 'pending' || !isOn(going.webhook.status)) return skip(id)",
    replace: 'if (!going) return skip(id)',
  },
  {
    promise: 'Webhooks: a redirect is a failure',
    file: src('notify/webhooks/webhook.ts'),
    find: 'outcome.status >= 200 && outcome.status < 300',
    replace: 'outcome.status >= 200 && outcome.status < 400',
    test: deliveries.test,
    name: 'by a redirect is sent again',
  },
  {
    promise: 'Webhooks: a busy receiver is left alone',
    ...deliveries,
    find: 'const pause = pauseFor(outcome, lane.failures)',
    replace: 'const pause = 0 && pauseFor(outcome, lane.failures)',
    test: pauses,
    name: 'waits as long as the receiver asks',
  },
  {
    promise: 'Webhooks: a delivery is signed with its webhook’s secret',
    file: src('notify/webhooks/sign.ts'),
    find: 'hmac(newest, ',
    replace: "hmac('', ",
    test: src('notify/webhooks/sign.test.ts'),
  },
  {
    promise: 'Webhooks: an event is shown at the team’s version',
    ...deliveries,
    find: 'showEvents(scope, [event], versionOf(scope, webhook))',
    replace: "showEvents(scope, [event], '2026-03-30')",
    name: 'at the version that the team is pinned to',
  },
  {
    promise: 'Webhooks: one address has a bound',
    file: src('platform/jobs/lanes.ts'),
    find: 'busy(lane) >= (fails ? bounds.failing : bounds.lane)',
    replace: 'busy(lane) >= bounds.all',
    test: src('notify/webhooks/redeliver.test.ts'),
    name: 'is called by few at once',
  },
  {
    promise: 'Webhooks: what an endpoint asks for holds for that endpoint alone',
    file: src('notify/webhooks/webhook.ts'),
    find: '{pathname}`',
    replace: "{''}`",
    test: pauses,
    name: 'keeps nothing waiting that goes elsewhere',
  },
  {
    promise: 'Webhooks: one that is switched on again is judged anew',
    file: src('notify/webhooks/status.ts'),
    find: 'Math.max(tx.now - DAY, counted_since)',
    replace: 'tx.now - DAY',
    test: deliveries.test,
    name: 'is judged anew once it is switched on again',
  },
  {
    promise: 'Webhooks: who sends again does not wait for what the endpoint asked for before',
    file: src('notify/webhooks/redeliver.ts'),
    find: '  // Code that ends an attempt takes the lane before the delivery too.\n  await freeLane(scope, webhook.lane)\n',
    replace: '',
    test: pauses,
    name: 'goes at once where it is sent again',
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
    file: src('money/reports/rows.ts'),
    find: ".where('failed_at', '>=', report.from_time)",
    replace: ".where('status', '=', 'failed')",
    test: src('money/reports/reports.test.ts'),
    name: 'list of what failed on it',
  },
  {
    promise: 'Reports: a file that was not written to its end is no part of the next',
    file: src('money/reports/store.ts'),
    find: ".where('file', '=', file)",
    replace: '',
    test: src('money/reports/reports.test.ts'),
  },
]

import type { LedgerWatch } from '../money/ledger/check.js'
import { within } from '../platform/http/queue.js'
import type { Deps } from '../platform/scope.js'

/** How long a load balancer is kept waiting for the store, in ms. */
const PATIENCE = 900

/** Why the store cannot be used now, or null. Answers in time whatever the store does. */
async function probe({ store }: Deps): Promise<string | null> {
  let answer: string | null = 'the store does not answer'
  const asked = store.probe().then(why => {
    answer = why === null ? null : `the store failed: ${why}`
  })
  await within(asked, PATIENCE)
  return answer
}

/** The operations listener: never public. */
export function createOps(
  deps: Deps,
  ready: () => boolean,
  ledger: Pick<LedgerWatch, 'last'> | null = null,
): (request: Request) => Promise<Response> {
  const text = (body: string, status = 200) =>
    new Response(body, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
  return async request => {
    const { pathname } = new URL(request.url)
    if (pathname === '/livez') return text('ok\n')
    if (pathname === '/readyz') {
      if (!ready()) return text('not ready: starting, stopping, or the connector never gave its tables\n', 503)
      const why = await probe(deps)
      return why === null ? text('ok\n') : text(`not ready: ${why}\n`, 503)
    }
    if (pathname === '/metrics') return text(`${await metrics(deps)}${ledgerMetrics(deps, ledger?.last() ?? null)}`)
    return text('not found\n', 404)
  }
}

async function metrics(deps: Deps): Promise<string> {
  const { jobs, dead, lag } = await deps.store.reader
    .selectFrom('jobs')
    .select(query => [
      query.fn.sum<number>(query.case().when('state', '=', 'ready').then(1).else(0).end()).as('jobs'),
      query.fn.sum<number>(query.case().when('state', '=', 'dead').then(1).else(0).end()).as('dead'),
      // What goes out waits for others too: it says nothing of us.
      query.fn.min('run_at').filterWhere('state', '=', 'ready').filterWhere('lane', 'is', null).as('lag'),
    ])
    .executeTakeFirstOrThrow()
  const behind = lag === null ? 0 : Math.max(0, deps.clock() - Number(lag)) / 1000
  return [
    '# HELP causeway_jobs_ready Jobs that wait to run.',
    '# TYPE causeway_jobs_ready gauge',
    `causeway_jobs_ready ${Number(jobs ?? 0)}`,
    '# HELP causeway_jobs_dead Jobs that were given up after their last attempt.',
    '# TYPE causeway_jobs_dead gauge',
    `causeway_jobs_dead ${Number(dead ?? 0)}`,
    '# HELP causeway_jobs_lag_seconds How long the oldest due job has waited.',
    '# TYPE causeway_jobs_lag_seconds gauge',
    `causeway_jobs_lag_seconds ${behind}`,
    `causeway_memory_bytes ${process.memoryUsage().rss}`,
    '',
  ].join('\n')
}

/** What the last look at the ledger found; nothing where this process does not look. */
function ledgerMetrics(deps: Deps, last: ReturnType<LedgerWatch['last']>): string {
  if (last === null) return ''
  return [
    '# HELP causeway_ledger_faults Payments whose postings, status, reversal and rail do not agree.',
    '# TYPE causeway_ledger_faults gauge',
    `causeway_ledger_faults ${last.report.faulty}`,
    '# HELP causeway_ledger_payments Payments that the last look at the ledger looked at.',
    '# TYPE causeway_ledger_payments gauge',
    `causeway_ledger_payments ${last.report.payments}`,
    '# HELP causeway_ledger_age_seconds How long ago that was.',
    '# TYPE causeway_ledger_age_seconds gauge',
    `causeway_ledger_age_seconds ${(deps.clock() - last.at) / 1_000}`,
    '',
  ].join('\n')
}

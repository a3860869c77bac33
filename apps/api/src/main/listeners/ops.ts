import { ServiceError } from '@causeway/contract/errors'
import { Gauge } from 'prom-client'
import type { LedgerWatch } from '../../money/ledger/periodic-check.js'
import { readReconciliationHealth } from '../../money/reconciliation/all-teams.js'
import { cacheResult } from '../../platform/cache-result.js'
import { within } from '../../platform/http/limits/queue.js'
import { createEnvelope, Exchange, logFault, plainStages } from '../../platform/http/pipeline/envelope.js'
import { safeHeaders } from '../../platform/http/response/headers.js'
import { countJobs } from '../../platform/jobs/count.js'
import { countMissingJobs, sumOf } from '../../platform/jobs/missing.js'
import type { Deps } from '../../platform/scope.js'

/** The time limit for the store probe, in ms. Load balancers don't wait longer than this. */
const PROBE_TIMEOUT_MS = 900

/** Returns the reason that the store can't be used now, or null. Responds in time even if the store does not. */
async function probe({ store }: Pick<Deps, 'store'>): Promise<string | null> {
  let fault: string | null = 'the store does not respond'
  const probing = store.probe().then(reason => {
    fault = reason === null ? null : `the store failed: ${reason}`
  })
  await within(probing, PROBE_TIMEOUT_MS)
  return fault
}

export const opsPaths = ['/livez', '/readyz', '/metrics'] as const
type OpsPath = (typeof opsPaths)[number]

/** The parts of the process that the listener reports on. A process without an API admits no requests. */
type OpsDeps = Pick<Deps, 'store' | 'clock' | 'log' | 'metrics'> & {
  readonly admission: Pick<Deps['admission'], 'counts'> | null
  /** Absent in a process that compares no statements. */
  readonly statements?: Deps['statements']
}

const createOpsEnvelope = (deps: OpsDeps) =>
  createEnvelope<Exchange, Response>({
    limit: null, // Only the operator reaches the listener.
    access: null, // Only the operator reaches the listener.
    site: null, // No browser calls the listener.
    url: null, // The routes read no query.
    ...plainStages(deps, safeHeaders('')),
    error(error, exchange) {
      logFault(deps, exchange, error)
      const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Connection: 'close' }
      return new Response(JSON.stringify({ error: new ServiceError('INTERNAL_ERROR').body() }), {
        status: 500,
        headers: { ...headers, 'idem-request-id': exchange.id },
      })
    },
  })

/** Creates the operations listener, which must never be exposed publicly. */
export function createOps(
  deps: OpsDeps,
  isReady: () => boolean,
  ledger: Pick<LedgerWatch, 'last'> | null = null,
): (request: Request) => Promise<Response> {
  const report = createMetricsReport(deps, ledger)
  const serve = createOpsEnvelope(deps)
  const text = (body: string, status = 200) =>
    new Response(body, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
  const routes: Readonly<Record<OpsPath, () => Response | Promise<Response>>> = {
    '/livez': () => text('ok\n'),
    async '/readyz'() {
      if (!isReady()) return text("not ready: starting, stopping, or waiting for the connector's tables\n", 503)
      const reason = await probe(deps)
      return reason === null ? text('ok\n') : text(`not ready: ${reason}\n`, 503)
    },
    '/metrics': async () => text(await report()),
  }
  return request => {
    const { pathname } = new URL(request.url)
    const path = opsPaths.find(each => each === pathname)
    const handle = path ? routes[path] : () => text('not found\n', 404)
    return serve(new Exchange(deps.clock(), request, path ?? '*', undefined), handle)
  }
}

/** The time for which a job count is reused, in ms. */
const REPORT_LIFETIME_MS = 10_000

/** Adds the gauges that are computed on request. @returns a function that returns the metrics as text */
function createMetricsReport(deps: OpsDeps, ledger: Pick<LedgerWatch, 'last'> | null): () => Promise<string> {
  const { registry } = deps.metrics
  const gauge = (text: string, help: string, labelNames: string[] = []) => {
    const name = `causeway_${text}`
    const registered = registry.getSingleMetric(name) as Gauge | undefined
    return registered ?? new Gauge({ name, help, labelNames, registers: [registry] })
  }
  const ready = gauge('jobs_ready', 'Jobs waiting to run.')
  const dead = gauge('jobs_dead', 'Jobs that failed their last attempt.')
  const missing = gauge(
    'jobs_missing',
    'Deliveries, subscriptions, reports and forwarded requests that wait for a job that does not exist or was given up.',
  )
  const lag = gauge('jobs_lag_seconds', 'The time for which the oldest due job has waited.')
  const open = gauge('pool_connections', 'Open connections to PostgreSQL.')
  const idle = gauge('pool_idle_connections', 'Idle connections to PostgreSQL.')
  const running = gauge('requests_running', 'Requests of the API and the frame in progress.')
  const queued = gauge('requests_waiting', 'Requests of the API and the frame waiting to start.')
  const waiting = gauge('pool_waiting', 'Statements and transactions waiting for a connection.')
  const faults = gauge(
    'ledger_faults',
    'Payments whose postings, status and reversal do not agree with each other or with the rail.',
  )
  const payments = gauge('ledger_payments', 'Payments in the last ledger check.')
  const age = gauge('ledger_age_seconds', 'The time since the last ledger check.')
  const differences = gauge(
    'reconciliation_exceptions',
    "Differences between a provider's statement and the store that are neither explained nor resolved, by provider.",
    ['provider'],
  )
  const runAge = gauge(
    'reconciliation_age_seconds',
    'The time since the last complete comparison of the team that has waited longest for one, by provider.',
    ['provider'],
  )
  // A removed gauge is not reported until it is set again, so each process reports only the gauges that apply to it.
  for (const each of [ready, dead, missing, lag, open, idle, running, queued, waiting, faults, payments, age])
    each.remove()
  const readHealth = () =>
    cacheResult(deps.store, 'reconciliation', deps.clock(), () =>
      readReconciliationHealth(
        deps.store.reader,
        (deps.statements ?? []).map(each => each.provider),
      ),
    )
  let countedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - countedAt > REPORT_LIFETIME_MS) {
      const jobs = await countJobs(deps.store, deps.clock)
      countedAt = performance.now()
      ready.set(jobs.ready)
      dead.set(jobs.dead)
      lag.set(jobs.lag)
      missing.set(sumOf(await cacheResult(deps.store, 'missing', deps.clock(), () => countMissingJobs(deps.store))))
      for (const { provider, open, complete_at } of await readHealth()) {
        differences.set({ provider }, open)
        if (complete_at !== null) runAge.set({ provider }, (deps.clock() - complete_at) / 1_000)
      }
    }
    if (deps.admission) {
      const requests = deps.admission.counts()
      running.set(requests.running)
      queued.set(requests.waiting)
    }
    const pool = deps.store.pool()
    if (pool) {
      open.set(pool.open)
      idle.set(pool.idle)
      waiting.set(pool.waiting)
    }
    const last = ledger?.last()
    if (last) {
      faults.set(last.report.faulty)
      payments.set(last.report.payments)
      age.set((deps.clock() - last.at) / 1_000)
    }
    return registry.metrics()
  }
}

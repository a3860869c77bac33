import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/**
 * The metrics that the service provides to its operator. Labels contain the names of routes, kinds and outcomes. Labels
 * never contain a team, id, path or number, so no personal data leaves the service and the number of series stays
 * small.
 */
export interface Metrics {
  /** The registry. Other modules add gauges that are computed when the metrics are requested. */
  readonly registry: Registry
  /** Records a completed request. @param route its template, such as `/payments/:payment_id` */
  request(fields: { method: string; route: string; status: number; ms: number; idempotency?: string }): void
  /** Counts phone numbers whose daily limit on codes several teams reached together. */
  sharedCodeLimit(): void
  /** Counts requests that the request log dropped. */
  requestsDropped(count: number): void
  /**
   * Records one run of a job.
   * @param outcome `done`, `retry`, `dead`, or `lost` if another process took over the job
   */
  job(kind: string, outcome: 'done' | 'retry' | 'dead' | 'lost', ms: number): void
  /**
   * Records one attempt to deliver an event.
   * @param outcome `delivered`, `refused` (a response other than 2xx) or `unreachable`
   */
  delivery(outcome: 'delivered' | 'refused' | 'unreachable', ms: number): void
  /**
   * Records a call to a provider.
   * @param provider such as `increase`, or `connector` for the operator's connector
   * @param path such as `rail/submit`
   */
  connectorCall(provider: string, path: string, outcome: 'ok' | 'refused' | 'broken', ms: number): void
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Histogram({
    name: 'causeway_http_request_duration_seconds',
    help: 'Response time of a request, by method, route template and status class.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets,
    registers,
  })
  const keys = new Counter({
    name: 'causeway_idempotency_total',
    help: 'Requests by Idempotency-Key result: stored, replayed, mismatch or bypassed.',
    labelNames: ['outcome'] as const,
    registers,
  })
  const rateLimited = new Counter({
    name: 'causeway_rate_limited_total',
    help: 'Requests rejected with 429.',
    registers,
  })
  const dropped = new Counter({
    name: 'causeway_request_log_dropped_total',
    help: 'Requests that the request log dropped because they arrived faster than it could write them.',
    registers,
  })
  const sharedCodeLimits = new Counter({
    name: 'causeway_code_limit_shared_total',
    help: 'Phone numbers whose daily limit on codes was reached by several teams together.',
    registers,
  })
  const jobs = new Histogram({
    name: 'causeway_job_duration_seconds',
    help: 'Duration of one job run, by kind and outcome: done, retry, dead or lost.',
    labelNames: ['kind', 'outcome'] as const,
    buckets,
    registers,
  })
  const deliveries = new Histogram({
    name: 'causeway_delivery_duration_seconds',
    help: 'Duration of one event delivery attempt, by outcome: delivered, refused or unreachable.',
    labelNames: ['outcome'] as const,
    buckets,
    registers,
  })
  const calls = new Histogram({
    name: 'causeway_connector_call_duration_seconds',
    help: 'Duration of one call to a connector or another provider, by provider, path and outcome: ok, refused or broken.',
    labelNames: ['provider', 'path', 'outcome'] as const,
    buckets,
    registers,
  })
  return {
    registry,
    request({ method, route, status, ms, idempotency }) {
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
      if (idempotency !== undefined) keys.inc({ outcome: idempotency })
      if (status === 429) rateLimited.inc()
    },
    sharedCodeLimit: () => sharedCodeLimits.inc(),
    requestsDropped: count => dropped.inc(count),
    job: (kind, outcome, ms) => jobs.observe({ kind, outcome }, ms / 1000),
    delivery: (outcome, ms) => deliveries.observe({ outcome }, ms / 1000),
    connectorCall: (provider, path, outcome, ms) => calls.observe({ provider, path, outcome }, ms / 1000),
  }
}

/** Adds metrics for the Node.js process: memory, CPU, event loop, garbage collection. Call it once per process. */
export function watchProcess({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry })
}

/**
 * The shapes of answers that the SDK's generated types do not describe yet, by the names of the console's design. Delete
 * each one when `contract.gen.ts` has it.
 */

/** A role of the person who is signed in. `operator` is a flag beside a role. */
export type Role = 'viewer' | 'support' | 'engineer' | 'admin'

/** `GET /session`: who is signed in, and where. Served by the console's listener alone. */
export interface Session {
  user: { name: string; role: Role; operator: boolean }
  team: { id: string; name: string }
  environment: 'sandbox' | 'production'
  /** The team's time zone, such as `America/Chicago`. */
  time_zone: string
  /** The sandbox's clock and its lead; null in production. */
  clock: { now: string; ahead_seconds: number } | null
  /** Set while payments are stopped: of this team, or of all. */
  payments_stopped: { scope: 'team' | 'all'; since: string } | null
}

/** `GET /payments/{id}/explanation`. */
export interface Explanation {
  cause: { code: number | string; side: 'source' | 'destination' | 'rail' | 'team' } | null
  /** The place of the money now, and the account that it goes to next, if any. */
  money: { place: string; amount: number; account: string | null }
  consequences: string[]
  actions: Action[]
}

export interface Action {
  name: string
  allowed: boolean
  why_not: string | null
}

/** `GET /payments/{id}/postings`. */
export interface Postings {
  data: { leg: string; account: string; amount: number; created_at: string }[]
  sum: number
  agrees: boolean
}

/** `GET /timeline?about={id}`. */
export interface Timeline {
  data: Moment[]
  /** Kinds that did not answer. */
  missing: Kind[]
  next_cursor: string | null
}

export type Kind = 'request' | 'event' | 'delivery' | 'posting' | 'person' | 'staff'

export interface Moment {
  at: string
  kind: Kind
  id: string
  /** A code: the event's type, the request's method and route, the step, the leg. */
  what: string
  /** The HTTP status of a request, or the status of a delivery. */
  status: string | number | null
  actor: string | null
  amount: number | null
  refs: string[]
}

/** `GET /opal/sessions/{id}/progress`. */
export interface Progress {
  step: string
  since: string
  tries_left: number | null
  waits_for: 'person' | 'network' | 'release' | 'nothing' | (string & {})
  last_code: number | string | null
  /** Those that were shown, and how often. */
  steps: { step: string; at: string; tries: number }[]
}

/** `POST /search`. */
export interface Hit {
  kind: 'payment' | 'person' | 'account' | 'session' | 'webhook' | 'request' | 'event'
  id: string
  title: string
  hint: string | null
  status: string | null
}

/** `GET /requests`: a row; `GET /requests/{id}` adds the bodies. */
export interface ApiRequest {
  id: string
  method: string
  route: string
  status: number
  sub_type: string | null
  ms: number
  version: string | null
  actor: string
  source: 'api' | 'console'
  idempotency: 'stored' | 'replayed' | 'mismatch' | 'bypassed'
  resource_ids: string[]
  created_at: string
}
export interface ApiRequestDetail extends ApiRequest {
  request: unknown
  response: unknown
}

/** `GET /webhooks/{id}/stats`. */
export interface WebhookStats {
  buckets: {
    at: string
    delivered: number
    failed: number
    canceled: number
    p50_ms: number | null
    p95_ms: number | null
  }[]
  paused_until: string | null
  paused_by: 'endpoint' | 'failures' | null
  failures_in_row: number
  /** Given up in a row at which the endpoint is switched off. */
  switch_off_at: number
  switched_off_at: string | null
}

/** `GET /webhooks/{id}/deliveries/{id}/attempts`. */
export interface Attempt {
  number: number
  at: string
  ms: number | null
  response_status: number | null
  failure: string | null
}

/** `GET /stats/payments`. */
export interface PaymentStats {
  data: { day: string; status: string; count: number; cents: number }[]
  as_of: string
}

/** `GET /stats/funnel`. */
export interface FunnelStats {
  data: {
    step: string
    entered: number
    completed: number
    left: number
    median_ms: number | null
    reasons: { code: number | string; count: number }[]
  }[]
  as_of: string
}

/** `POST /operator/ledger/checks`, and the last check of `GET /operator/health`. */
export interface LedgerCheck {
  at: string
  ok: boolean
  /** False if the check ran out of time. */
  complete: boolean
  payments: number
  unanswered: number
  faulty: number
  /** The first hundred. */
  faults: { team_id: string; payment_id: string; what: string }[]
}

/** `GET /operator/health`. */
export interface Health {
  jobs: { ready: number; dead: number; lag_seconds: number }
  requests: { running: number; waiting: number }
  /** Addresses that no call is made to now. */
  lanes_paused: number
  ledger: LedgerCheck | null
  /** Since when all payments are stopped. */
  payments_stopped: string | null
  teams_stopped: number
}

/** `GET /operator/jobs`. */
export interface DeadJobs {
  data: DeadJob[]
  next_cursor: string | null
}
export interface DeadJob {
  id: string
  team_id: string
  kind: string
  attempts: number
  last_error: string | null
  request_id: string | null
  created_at: string
}

/** `GET /simulate/clock`, `/faults` and `/people`. */
export interface SimulatedClock {
  now: string
  ahead_seconds: number
}
export interface SimulatedFault {
  target: 'network' | 'identity' | 'rail' | 'idempotency'
  mode: 'slow' | 'failing' | 'flapping'
  until: string
}
export interface SimulatedPerson {
  phone: string
  last4: string
  title: string
  hint: string | null
  /** Those that a connect finds. */
  accounts: number
}

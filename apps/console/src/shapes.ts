/** The responses of the console's own listener and of the operator endpoints, which the SDK does not have. */

/** A role of the signed-in user. `operator` is a separate flag. */
export type Role = 'viewer' | 'support' | 'engineer' | 'admin'

/** `GET /session`: the signed-in user and the environment. Served only by the console's listener. */
export interface Session {
  user: { name: string; role: Role; operator: boolean }
  team: { id: string; name: string }
  environment: 'sandbox' | 'production'
  /** The team's time zone, such as `America/Chicago`. */
  time_zone: string
  /** The sandbox's clock and its lead; null in production. */
  clock: { now: string; ahead_seconds: number } | null
  /** Set while payments are stopped, for this team or for all teams. */
  payments_stopped: { scope: 'team' | 'all'; since: string } | null
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
  /** Payments whose payer is to be debited again, and their sum. */
  receivable: { payments: number; cents: number }
  /** The first hundred faults. */
  faults: { team_id: string; payment_id: string; what: string }[]
}

/** `GET /operator/health`. */
export interface Health {
  jobs: { ready: number; dead: number; lag_seconds: number }
  requests: { running: number; waiting: number }
  /** The number of addresses to which calls are currently paused. */
  lanes_paused: number
  ledger: LedgerCheck | null
  /** The time at which all payments were stopped; null if they are not stopped. */
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

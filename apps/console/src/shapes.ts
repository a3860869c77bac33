/** The answers of the console's own listener and of the operator's endpoints, which no SDK has. */

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

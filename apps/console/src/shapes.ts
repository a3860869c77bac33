/** Types of responses from the console's own listener and from the operator endpoints, which the SDK doesn't cover. */

/** The role of the signed-in user. `operator` is a separate flag. */
export type Role = 'viewer' | 'support' | 'engineer' | 'finance' | 'admin'

/** Permissions of a user. The service declares which roles have which permissions, and sends the user's own. */
export type Permission =
  | 'read'
  | 'reveal'
  | 'links'
  | 'resend'
  | 'write'
  | 'reports'
  | 'payments'
  | 'settings'
  | 'users'
  | 'operate'

/**
 * The response to `GET /session`: the signed-in user and the environment. Only the console's listener serves this
 * endpoint.
 */
export interface Session {
  user: {
    name: string
    role: Role
    operator: boolean
    permissions: readonly Permission[]
    /** Null if a key or a one-time link signed in. */
    account_id: string | null
    /** The secret key that signed in; null if a user or a link did. */
    key_id: string | null
    /** True if the user must confirm the session with a passkey before anything else. */
    needs_second_factor: boolean
  }
  team: { id: string; name: string }
  environment: 'sandbox' | 'production'
  /** The team's time zone, such as `America/Chicago`. */
  time_zone: string
  /** The sandbox's clock and the number of seconds by which it is ahead; null in production. */
  clock: { now: string; ahead_seconds: number } | null
  /** The scope and start time of a payment stop; null if payments aren't stopped. */
  payments_stopped: { scope: 'team' | 'all'; since: string } | null
  /** The number of requests that wait for a second person, up to 51. */
  approvals_waiting: number
  /** Until when sensitive actions need no further sign-in; null if a key or a one-time link signed in. */
  recent_sign_in: { until: string; has_passkey: boolean } | null
}

interface Decider {
  id: string
  name: string | null
}

/** A request that needs a second person, in the response to `GET /console/approvals`. */
export interface Approval {
  id: string
  action:
    | 'payment.create'
    | 'loan.release'
    | 'reversal.approve'
    | 'limits.change'
    | 'payments.start'
    | 'approvals.change'
  status: 'waiting' | 'approved' | 'failed' | 'declined' | 'withdrawn' | 'expired'
  /** The payment, session or team that the request changes. */
  resource_id: string | null
  /** The session whose payments the request creates. */
  session_id: string | null
  /** The person whose debts the request pays, or paid. */
  entity: { id: string; name: string | null } | null
  /** The status that the payment of an approved request has now; null if there is none. */
  payment_status: string | null
  /** In cents; null if the request moves no money. */
  amount: number | null
  changes: { name: string; before: string | null; after: string | null }[]
  request: { method: string; path: string; body: Record<string, unknown> }
  reason: string
  asked_by: Decider
  decided_by: Decider | null
  decline_reason: string | null
  error: string | null
  can: { approve: boolean; withdraw: boolean }
  why_not: 'asked_it' | 'no_permission' | 'no_name' | 'invited_by_asker' | null
  created_at: string
  expires_at: string
  decided_at: string | null
}

/** An account that payments can come from. */
export interface Source {
  id: string
  /** The holder's name. */
  name: string | null
  type: 'checking' | 'savings' | null
  /** The last four digits of the account number. */
  mask: string | null
  verified: boolean
  is_default: boolean
  /** The error of a payment from the account; null if it can pay. */
  why_not: string | null
}

/** The response to `GET /console/sources`. Only the console's listener serves this endpoint. */
export interface Sources {
  data: Source[]
  /** True if there are more accounts than are listed. */
  more: boolean
}

/** True if a one-time link signed in, so that no account and no key is responsible for what the user does. */
export const isLinkSession = ({ user }: Session): boolean => user.account_id === null && user.key_id === null

/** Returns true if a user may do something. The service checks it again. */
export const may = ({ user }: Session, permission: Permission): boolean => user.permissions.includes(permission)

/** The response to `GET /sign-in`: the ways to sign in. */
export interface SignInMethods {
  passkey: boolean
  key: boolean
  /** The OpenID provider that signs users in. */
  oidc: { name: string } | null
}

/** The response to `POST /sign-in/invitation`. */
export interface Invitation {
  email: string
  name: string | null
  role: Role
  operator: boolean
  team: { id: string; name: string }
  expires_at: string
}

export interface Passkey {
  id: string
  name: string
  /** True if the passkey is copied between the user's devices. */
  synced: boolean
  last_used_at: string | null
  created_at: string
}

/** The response to `GET /console/account`. */
export interface ConsoleAccount {
  email: string
  name: string | null
  passkeys: Passkey[]
}

/** A user in the response to `GET /console/users`. */
export interface ConsoleUser {
  id: string
  email: string
  name: string | null
  role: Role
  operator: boolean
  status: 'invited' | 'active' | 'disabled'
  /** True for the signed-in user. */
  current: boolean
  sessions: number
  signed_in_at: string | null
  created_at: string
}

/** The response to requests that create an invitation, whose link is shown once. */
export interface InvitedUser {
  user: ConsoleUser
  invitation: { link: string; expires_at: string }
}

/** A session in the response to `GET /console/sessions`. */
export interface ConsoleSession {
  id: string
  key_id: string | null
  user_id: string | null
  name: string | null
  /** True for the session that sent the request. */
  current: boolean
  created_at: string
  last_used_at: string
  expires_at: string
}

/** The response to `POST /operator/ledger/checks`. `GET /operator/health` includes the latest check. */
export interface LedgerCheck {
  at: string
  ok: boolean
  /** False if the check timed out. */
  complete: boolean
  payments: number
  unanswered: number
  faulty: number
  /** The number and total amount of payments for which the payer must be debited again. */
  receivable: { payments: number; cents: number }
  /** The faults that the check found, up to a hundred. */
  faults: { team_id: string; payment_id: string; what: string }[]
}

/** The response to `GET /operator/health`. */
export interface Health {
  jobs: { ready: number; dead: number; missing: number; lag_seconds: number }
  requests: { running: number; waiting: number }
  /** The number of addresses to which calls are currently paused. */
  lanes_paused: number
  ledger: LedgerCheck | null
  /** The time at which all payments were stopped; null if they aren't stopped. */
  payments_stopped: string | null
  teams_stopped: number
  /** The conditions for lifting a stop of all payments. */
  payments_start: {
    needs: 'nothing' | 'second_operator' | 'command'
    /** The names of the other operators who can approve it. */
    operators: readonly string[]
    command: string
  }
}

/** The response to `GET /entities/:id/institutions`. Only the console's listener serves this endpoint. */
export interface LinkedInstitutions {
  institutions: { name: string; status: 'ok' | 'repair' | 'name_mismatch'; accounts: string[] }[]
  checked_at: string | null
}

/** A number of people, as the service counts them. */
export interface RepairCount {
  /** The number of people who must sign in to an institution again, up to the service's limit. */
  count: number
  /** True if there are more people. */
  more: boolean
}

/** The response to `GET /institutions/repairs`. Only the console's listener serves this endpoint. */
export interface Repairs {
  data: {
    /** The person's entity. */
    id: string
    name: string | null
    institutions: { name: string; accounts: string[] }[]
    checked_at: string | null
  }[]
  next_cursor: string | null
  /** Only with `count=only`. */
  total?: RepairCount
}

/** The response to `GET /payments/:id/provider`. Only the console's listener serves this endpoint. */
export interface PaymentProvider {
  objects: {
    provider: string
    /** The provider's name. */
    title: string
    kind: 'payment' | 'reversal'
    resource_id: string
    /** The provider's id of the transfer. */
    external_id: string
    created_at: string
  }[]
}

/** The response to `GET /operator/jobs`. */
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

/** An entry of `GET /console/audit`. */
export interface AuditEntry {
  id: string
  actor: string
  actor_name: string | null
  session_id: string | null
  action: string
  resource_id: string | null
  /** The name of the user whom the action changed. */
  resource_name: string | null
  reason: string | null
  /** The values that changed. Both values are null if the log does not contain them. */
  changes: { name: string; before: string | null; after: string | null }[]
  at: string
}

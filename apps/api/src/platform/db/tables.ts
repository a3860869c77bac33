import type { ResourceError } from '@causeway/contract/errors'
import type { ReversalStatus } from '@causeway/contract/resources/payment'
import type { ReportType } from '@causeway/contract/resources/report'
import type { Mode } from '@causeway/contract/session'
import type { OutboundFault } from '../outbound/outbound.js'
import type { TeamSettings } from '../team.js'
import type { Json } from './json.js'

/** Metadata that customers store with a resource. */
export type Metadata = Record<string, unknown>

/** The rows as both engines hold them. Long because all tables are in one place. Ids and JSON are text, times are epoch milliseconds, flags are 0 or 1. */
export interface Tables {
  settings: { name: string; value: string }
  /** One row: see migrate.ts. */
  schema_state: { id: number; version: number; min_build: number }
  /** The team of what a request shows: of a token by its handle, of a frame's bearer by its hash. */
  directory: { key: string; team_id: string }
  teams: {
    id: string
    parent_id: string | null
    /** The ids from the root of its tree down to its own, with slashes between. */
    path: string
    name: string
    version: string
    settings: Json<TeamSettings>
    /** The team's sandbox clock minus the real time, in ms. */
    clock_offset: number
    /** The team's data key, wrapped by the master key. */
    data_key: string
    /** The time since which no payment of the team is made or submitted; null: payments continue. */
    payments_stopped_at: number | null
    created_at: number
    updated_at: number
  }
  api_keys: {
    id: string
    team_id: string
    hash: string
    last4: string
    /** The key's scopes, separated by spaces. */
    scopes: string
    /** The key that created it; null if the operator did. */
    created_by: string | null
    created_at: number
    last_used_at: number | null
    revoked_at: number | null
  }
  /** Operator grants to a team and the teams below it: `on` or `off` for a power, a number or `none` for a limit. */
  team_grants: { team_id: string; name: string; value: string }
  idempotency: {
    team_id: string
    key: string
    /** `waiting`: the effect is committed and the answer waits for a job; `done`: the answer is stored. */
    state: 'waiting' | 'done'
    method: string
    path: string
    body_hash: string
    /** Whom the answer is about: an id. */
    subject: string | null
    status: number | null
    body: string | null
    waits_for: Json<{ job: string; kind: string; id: string }> | null
    created_at: number
  }
  jobs: {
    id: string
    team_id: string
    kind: string
    payload: Json<Record<string, string>>
    state: 'ready' | 'dead'
    run_at: number
    clocked: number
    lease_owner: string | null
    lease_until: number | null
    attempts: number
    last_error: string | null
    unique_key: string | null
    /** The group that it shares its bound with; null: none. */
    lane: string | null
    /** The request that caused it; null: none did. */
    request_id: string | null
    created_at: number
  }
  /** Acts that left for the connector, or were about to: see network/connectors/sent-calls.ts. */
  connector_acts: { method: string; request_id: string; team_id: string; sent_at: number }
  /** Pushes of the connector that were taken. */
  connector_pushes: { team_id: string; id: string; received_at: number }
  /** The targets of outgoing jobs and their health. Times are real. */
  lanes: { lane: string; team_id: string; paused_until: number; failures: number }
  entities: {
    id: string
    team_id: string
    type: 'individual' | 'corporation'
    /** The kind that a corporation was created as, if it was given. */
    kind: string | null
    status: 'active' | 'incomplete' | 'disabled'
    /** Sealed JSON of all personal details. */
    details: string | null
    /** Names of the details that were typed in a frame and are proven by nothing yet, JSON: they may be replaced. */
    typed: string
    /** True if first name, last name and phone are known, so that it can be looked up. */
    nameable: number
    /** The network's reference of the matched person. */
    person: string | null
    matched: number
    phone_verified_at: number | null
    /** When the person last showed a phone code, which a returning person must do again after 30 days. */
    phone_proved_at: number | null
    phone_session: string | null
    identity_verified_at: number | null
    identity_session: string | null
    /** Names that it is enrolled in, JSON. */
    subscribed: string
    /** When accounts were first looked for in an element; null: only ever at the team's own word. */
    element_connect_at: number | null
    /** When the person said in an element that accounts opened later are shared too; null: they did not. */
    future_accounts_at: number | null
    /** The time at which consent was withdrawn, and the data deleted. */
    withdrawn_at: number | null
    error: Json<ResourceError> | null
    metadata: Json<Metadata> | null
    created_at: number
    updated_at: number
  }
  accounts: {
    id: string
    team_id: string
    holder_id: string
    type: 'ach' | 'liability'
    status: 'active' | 'processing' | 'disabled' | 'closed'
    ach_type: 'checking' | 'savings' | null
    routing: string | null
    /** Sealed. */
    number: string | null
    number_hash: string | null
    mch_id: string | null
    mask: string | null
    ownership: 'primary' | 'authorized' | 'joint' | 'unknown' | null
    fingerprint: string | null
    liability_type: string | null
    sub_type: string | null
    name: string | null
    /** The network's own name for it. */
    reference: string | null
    payable: 'yes' | 'needs_number' | 'no'
    supports: string
    /** Sealed JSON: the details of a card, and the address of a mortgage's house. */
    details: string | null
    verified_at: number | null
    /** The proofs of verification sessions, JSON. */
    proven: string
    /** Names that it is enrolled in, JSON. */
    subscribed: string
    /** The connect that found it, until its holder says whether it is shared; null: nothing is waited for. */
    awaits_consent: string | null
    /** The time at which consent was withdrawn, and the data deleted. */
    withdrawn_at: number | null
    error: Json<ResourceError> | null
    metadata: Json<Metadata> | null
    created_at: number
    updated_at: number
  }
  records: {
    id: string
    team_id: string
    holder_id: string
    product: string
    status: string
    /** The request, JSON; sealed if the product says so. */
    request: string
    /** The result, JSON; sealed if the product says so. */
    data: string | null
    error: Json<ResourceError> | null
    /** The subscription that made it. */
    subscription_id: string | null
    /** The change that caused it, if it was not requested: a holder has one record of a product for each. */
    change: string | null
    created_at: number
    updated_at: number
  }
  subscriptions: {
    id: string
    team_id: string
    holder_id: string
    name: string
    status: 'active' | 'inactive'
    payload: string | null
    latest_request_id: string | null
    /** The time of its next look, team time; null: it never looks on its own, or is over. */
    next_at: number | null
    /** The cursor at which the external list of changes continues; null: at its start. */
    cursor: string | null
    /** Changes up to then are not announced. Team time. */
    watched_from: number | null
    created_at: number
    updated_at: number
  }
  /** A keyed hash of each word of an entity's name: for finding it by name. */
  name_words: { team_id: string; word: string; entity_id: string }
  /** Events that the sandbox was asked to simulate for an entity. */
  behaviours: {
    id: string
    team_id: string
    entity_id: string
    kind: 'connect' | 'attribute'
    name: string
    created_at: number
    consumed_at: number | null
  }
  latest: { team_id: string; holder_id: string; product: string; record_id: string }
  payments: {
    id: string
    team_id: string
    source: string | null
    destination: string | null
    source_holder_id: string | null
    destination_holder_id: string | null
    amount: number
    description: string
    status: string
    fund_status: string
    estimated_completion_date: string | null
    source_trace_id: string | null
    source_settlement_date: string | null
    source_status: string | null
    destination_trace_id: string | null
    destination_settlement_date: string | null
    destination_status: string | null
    destination_payment_method: string | null
    destination_posted_date: string | null
    reversal_id: string | null
    reversal_account: string | null
    fee: Json<{ type: 'total' | 'markup'; amount: number }> | null
    type: string
    error: Json<ResourceError> | null
    idempotency_key: string | null
    session_id: string | null
    metadata: Json<Metadata> | null
    /** The channel that it came in through. */
    payment_instrument: string | null
    /** True if it was moved by hand, so that the rail need not agree. */
    simulated: number
    /** Team time; null where it did not. */
    failed_at: number | null
    created_at: number
    updated_at: number
  }
  reversals: {
    id: string
    team_id: string
    payment_id: string
    target_account: string | null
    trace_id: string | null
    direction: 'debit' | 'credit'
    description: string
    amount: number
    status: ReversalStatus
    error: Json<ResourceError> | null
    approved_at: number | null
    created_at: number
    updated_at: number
  }
  /** Double entry, append-only: rows are added and never changed. */
  ledger: {
    payment_id: string
    /** The status that it was posted for, and its number there: a payment enters each status once. */
    leg: string
    team_id: string
    /** An id, or `clearing`, `transit`, `fees`, `receivable`, `outside`. */
    account: string
    /** Cents; less than zero where money left. */
    amount: number
    created_at: number
  }
  events: {
    id: string
    team_id: string
    type: string
    resource_id: string
    resource_type: string
    /** Sealed JSON. */
    data: string
    /** Sealed JSON. */
    diff: string
    /** The path at which the resource is read; null if it has none. */
    path: string | null
    /** Ids of what it belongs to, JSON. */
    refs: string | null
    /** The request that caused it; null: none did. */
    request_id: string | null
    created_at: number
  }
  webhooks: {
    id: string
    team_id: string
    type: string
    url: string
    /** State that its deliveries share with all others to the same endpoint. */
    lane: string
    expand_event: number
    /** The version that it speaks; null: its team's. */
    api_version: string | null
    /** 1 if it was created through `/enveloped`, whose signature headers it also carries. */
    peer_headers: number
    /** 1 if the beginning of each response is stored; null: it never was. */
    store_responses: number | null
    /** Sealed. */
    auth_token: string | null
    /** Sealed. */
    hmac_secret: string | null
    /** Sealed: the secret before, which signs beside it until then; real time. */
    previous_secret: string | null
    previous_until: number | null
    /** Deliveries given up since the last one that arrived. */
    failures: number
    /** Deliveries that ended before do not count for it any more; team time. */
    counted_since: number
    status: 'active' | 'requires_attention' | 'disabled' | 'deleted'
    error: Json<ResourceError> | null
    metadata: Json<Metadata> | null
    created_at: number
    updated_at: number
  }
  deliveries: {
    id: string
    team_id: string
    webhook_id: string
    event_id: string
    /** When its event happened. */
    event_at: number
    status: 'pending' | 'delivered' | 'failed' | 'canceled'
    /** Since it was last put on its way. */
    attempts: number
    /** The status of the last attempt; null if there was no response. */
    response_status: number | null
    fault: string | null
    /** Time of the next attempt; team time, as the times that follow. */
    next_at: number | null
    attempted_at: number | null
    finished_at: number | null
    /** The request that caused it first; null: none did. */
    request_id: string | null
    created_at: number
    updated_at: number
  }
  secrets: {
    id: string
    team_id: string
    /** Sealed. */
    value: string
    status: 'active' | 'deleted'
    metadata: Json<Metadata>
    created_at: number
    updated_at: number
  }
  reports: {
    id: string
    team_id: string
    type: ReportType
    /** The times that it is about, team time: from the first up to before the last. */
    from_time: number
    to_time: number
    metadata: Json<Metadata> | null
    /** The written part of it; null until it is made. */
    file: string | null
    created_at: number
    updated_at: number
  }
  /** The text of files, in order. */
  report_parts: { team_id: string; file: string; number: number; report_id: string; text: string }
  forwarding_requests: {
    id: string
    team_id: string
    /** Sealed JSON as it was given, templates unfilled: url, method, headers, body, bindings. */
    request: string
    status: 'processing' | 'completed' | 'failed'
    /** Sealed JSON of the answer, without the values that were filled in; null if there was no answer. */
    response: string | null
    /** Why nothing came of it; `unknown`: we stopped while it was on its way; `binding`: a value was gone before. */
    fault: OutboundFault | 'unknown' | 'binding' | null
    /** When it was sent, real time: that happens once. */
    sent_at: number | null
    duration_ms: number | null
    metadata: Json<Metadata> | null
    /** 1 if the holders of its bound values are in forwarding_holders; 0 for requests of earlier releases. */
    linked: number
    created_at: number
    updated_at: number
  }
  /** The accounts whose values a forwarding request carries. */
  forwarding_holders: { team_id: string; holder_id: string; request_id: string }
  sessions: {
    id: string
    team_id: string
    /** Null until the token of an inline entity is redeemed. */
    entity_id: string | null
    /** Sealed JSON of the entity to create. */
    inline_entity: string | null
    mode: Mode
    config: string
    config_hash: string
    revision: number
    /** The person's progress, JSON. */
    progress: string
    allocations: string
    connect_id: string | null
    completed_at: number | null
    payout_status: 'pending_release' | 'released'
    payment_ids: string
    payment_errors: string
    released_at: number | null
    created_at: number
    updated_at: number
  }
  tokens: {
    handle: string
    kind: 'element' | 'opal'
    team_id: string
    session_id: string
    secret_hash: string
    /** JSON list, or null for the team's. */
    origins: string | null
    appearance: string | null
    /** JSON: the names and images that the customer wants shown. */
    display: string
    /** The end of this token's hosted page; null: the token is for an element. */
    redirect_url: string | null
    /** For how many days a proof of the phone counts with this token, at most; 0: always ask; null: as the team's setting says. */
    phone_proof_days: number | null
    expires_at: number
    consumed_at: number | null
    exchange_hash: string | null
    exchange_until: number | null
    revoked_at: number | null
    /** The key that created it; null: unknown, as for tokens of earlier releases. */
    created_by: string | null
    created_at: number
  }
  bearers: {
    hash: string
    team_id: string
    session_id: string
    handle: string
    origin: string | null
    mode: string
    idle_until: number
    expires_at: number
    revoked_at: number | null
    /** When the person proved their phone: with this bearer, or so recently that it began as proven. Null: not yet. */
    proved_at: number | null
    created_at: number
  }
  session_events: {
    id: string
    team_id: string
    session_id: string
    handle: string
    type: string
    data: string | null
    created_at: number
  }
  consents: {
    id: string
    team_id: string
    entity_id: string
    session_id: string
    document: string
    version: string
    locale: string
    created_at: number
  }
  /**
   * Sends and guesses within a window that ends at `ends_at`, the team's time; `subject` is a keyed hash. The store counts
   * payments here too, by month: `kind` is `payments YYYY-MM`, `subject` the team's path and a slot, after a slash each.
   */
  counters: { kind: string; subject: string; used: number; ends_at: number }
  service_keys: {
    id: string
    n: string
    e: string
    /** Sealed; empty once it is disabled. */
    private: string
    thumbprint: string
    status: 'active' | 'deprecated' | 'disabled'
    created_at: number
    updated_at: number
  }
  team_public_keys: {
    id: string
    team_id: string
    type: 'direct' | 'well_known'
    contact: string | null
    /** JSON; null where it is fetched. */
    jwk: string | null
    well_known_endpoint: string | null
    /** JSON list: of the key, or of the set as it was when it was registered. */
    kids: Json<string[]>
    status: 'active' | 'deleted'
    created_at: number
    updated_at: number
  }
  audit: {
    id: string
    /** `team_operator` if it concerns no team. */
    team_id: string
    actor: string
    action: string
    resource_id: string | null
    /** The request that did it; null: the operator did. */
    request_id: string | null
    /** The reason that a user of the console gave; sealed where a person's values were revealed. */
    reason: string | null
    created_at: number
  }
  faults: { team_id: string; target: string; mode: string; until: number }
  /** The requests of the last 30 days. */
  requests: {
    id: string
    team_id: string
    method: string
    /** The route's template, never the path. */
    route: string
    status: number
    /** Why it was refused; null: it was not. */
    sub_type: string | null
    ms: number
    /** Null where it was refused before its version was read. */
    version: string | null
    /** A key, or the handle of a token. */
    actor: string
    source: 'api' | 'console'
    idempotency: 'stored' | 'replayed' | 'mismatch' | 'bypassed'
    resource_ids: Json<string[]>
    /** Sealed JSON of the body without personal values; null after 7 days. */
    request: string | null
    /** The same of the answer. */
    response: string | null
    created_at: number
  }
  /** The requests that named a resource, or whose answer did. */
  request_refs: { team_id: string; about: string; request_id: string; sub_type: string | null; created_at: number }
  /** Counts of the request log. */
  request_counts: {
    team_id: string
    /** The first ms of an hour. */
    hour: number
    status: number
    /** Empty where the request succeeded. */
    sub_type: string
    /** The class of the time that they took: see {@link timeClass}. */
    ms: number
    count: number
  }
  /** Every attempt to send a delivery, of the last 30 days. */
  delivery_attempts: {
    team_id: string
    delivery_id: string
    webhook_id: string
    /** Team time. */
    attempted_at: number
    /** Since the delivery was last put on its way, from 1. */
    number: number
    ms: number
    response_status: number | null
    fault: string | null
    /** Set on the attempt that ended the delivery; null: another one followed. */
    outcome: 'delivered' | 'failed' | null
    /** When it was signed; real time. */
    sent_at: number | null
    /** The version of the event in its body. */
    version: string | null
    /** Sealed: the beginning of the response, where the webhook stores it. */
    excerpt: string | null
  }
  /** One-time links to the console, by the hash of their secret; deleted when used. */
  console_links: { team_id: string; hash: string; expires_at: number; created_at: number }
  /** Browsers that are signed in to the console, by the hash of their cookie. Real time. */
  console_sessions: {
    team_id: string
    hash: string
    /** Names the session where its cookie must not: in the audit log. */
    id: string
    /** The key that it was exchanged for; null: an operator's link. */
    key_id: string | null
    idle_until: number
    expires_at: number
    created_at: number
  }
}

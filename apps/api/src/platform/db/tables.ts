import type { ResourceError } from '@causeway/contract/errors'
import type { ReversalStatus } from '@causeway/contract/resources/payment'
import type { ReportType } from '@causeway/contract/resources/report'
import type { Mode } from '@causeway/contract/session'
import type { OutboundFault } from '../outbound/outbound.js'
import type { TeamSettings } from '../team.js'
import type { Json } from './json.js'

/** Metadata that customers store with a resource. */
export type Metadata = Record<string, unknown>

/**
 * The rows as both engines store them. Long because all tables are in one place. Ids and JSON are text, times are epoch
 * milliseconds, flags are 0 or 1.
 */
export interface Tables {
  settings: { name: string; value: string }
  /** A single row: see migrate.ts. */
  schema_state: { id: number; version: number; min_build: number }
  /** Finds the team of a request's credential: a token by its handle, the bearer of a frame by its hash. */
  directory: { key: string; team_id: string }
  teams: {
    id: string
    parent_id: string | null
    /** The ids from the root of the team's tree down to the team, separated by slashes. */
    path: string
    name: string
    version: string
    settings: Json<TeamSettings>
    /** The team's sandbox clock minus the real time, in ms. */
    clock_offset: number
    /** The team's data key, wrapped by the master key. */
    data_key: string
    /**
     * The time at which payments were stopped: since then, no payment of the team is made or submitted. Null: payments
     * continue.
     */
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
    /** The id of the entity, account or other resource that the answer is about. */
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
    /** The group of jobs whose limit it shares; null: it is in no group. */
    lane: string | null
    /** The id of the request that caused it; null: no request did. */
    request_id: string | null
    created_at: number
  }
  /** Actions that were sent to the connector, or were about to be: see network/connectors/sent-calls.ts. */
  connector_acts: { method: string; request_id: string; team_id: string; sent_at: number }
  /** Pushes from the connector that were accepted. */
  connector_pushes: { team_id: string; id: string; received_at: number }
  /** The targets of outgoing jobs and their health. The times are real time. */
  lanes: { lane: string; team_id: string; paused_until: number; failures: number }
  entities: {
    id: string
    team_id: string
    type: 'individual' | 'corporation'
    /** The kind given when a corporation was created. */
    kind: string | null
    status: 'active' | 'incomplete' | 'disabled'
    /** Sealed JSON of all personal details. */
    details: string | null
    /** Names of details that were typed in a frame and are not proven yet, JSON. They may be replaced. */
    typed: string
    /** True if first name, last name and phone are known, which a look-up needs. */
    nameable: number
    /** The network's reference for the matched person. */
    person: string | null
    matched: number
    phone_verified_at: number | null
    /** When the person last proved the phone with a code. A returning person must do it again after 30 days. */
    phone_proved_at: number | null
    phone_session: string | null
    identity_verified_at: number | null
    identity_session: string | null
    /** Names of the subscriptions that it is enrolled in, JSON. */
    subscribed: string
    /**
     * When an element first searched for accounts; null: accounts were only searched for at the team's request, if at
     * all.
     */
    element_connect_at: number | null
    /** When the person agreed in an element to share accounts opened later; null: the person did not. */
    future_accounts_at: number | null
    /** When consent was withdrawn and the data deleted. */
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
    /** The network's own reference for it. */
    reference: string | null
    payable: 'yes' | 'needs_number' | 'no'
    supports: string
    /** Sealed JSON: the details of a card, or the address of a mortgaged home. */
    details: string | null
    verified_at: number | null
    /** The proofs of verification sessions, JSON. */
    proven: string
    /** Names of the subscriptions that it is enrolled in, JSON. */
    subscribed: string
    /**
     * The connect that found it, while its holder has not decided whether to share it; null: no decision is pending.
     */
    awaits_consent: string | null
    /** When consent was withdrawn and the data deleted. */
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
    /** The request, JSON; sealed if the product requires it. */
    request: string
    /** The result, JSON; sealed if the product requires it. */
    data: string | null
    error: Json<ResourceError> | null
    /** The subscription that created it. */
    subscription_id: string | null
    /** The change that caused it, if it was not requested. A holder has one record of a product for each change. */
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
    /** The time of its next check, team time; null: it never checks on its own, or it has ended. */
    next_at: number | null
    /** The cursor at which the external list of changes continues; null: at its start. */
    cursor: string | null
    /** Changes up to this time are not announced. Team time. */
    watched_from: number | null
    created_at: number
    updated_at: number
  }
  /** A keyed hash of each word of an entity's name, for search by name. */
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
    /** The payment instrument that received it. */
    payment_instrument: string | null
    /** True if the sandbox moved it by request, so that the rail's state may differ. */
    simulated: number
    /** Team time; null if it did not fail. */
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
  /** Double entry, append-only: rows are inserted and never changed. */
  ledger: {
    payment_id: string
    /**
     * The payment's status that caused the posting, and the number of the posting in it. A payment enters each status
     * once.
     */
    leg: string
    team_id: string
    /** An account id, or `clearing`, `transit`, `fees`, `receivable` or `outside`. */
    account: string
    /** Cents; negative if money left the account. */
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
    /** Ids of the entity, account or payment that the resource belongs to, JSON. */
    refs: string | null
    /** The id of the request that caused it; null: no request did. */
    request_id: string | null
    created_at: number
  }
  webhooks: {
    id: string
    team_id: string
    type: string
    url: string
    /** The lane that its deliveries share with all others to the same endpoint. */
    lane: string
    expand_event: number
    /** The API version of its payloads; null: its team's. */
    api_version: string | null
    /** 1 if it was created through `/enveloped`; deliveries then carry that mount's signature headers too. */
    peer_headers: number
    /** 1 if the beginning of each response is stored; null: it never was. */
    store_responses: number | null
    /** Sealed. */
    auth_token: string | null
    /** Sealed. */
    hmac_secret: string | null
    /** Sealed: the previous secret, which signs too until `previous_until`, real time. */
    previous_secret: string | null
    previous_until: number | null
    /** Deliveries given up since the last successful one. */
    failures: number
    /** Deliveries that ended before this time no longer count for its status; team time. */
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
    /** When the event happened. */
    event_at: number
    status: 'pending' | 'delivered' | 'failed' | 'canceled'
    /** The number of attempts since it was last queued. */
    attempts: number
    /** The status of the last attempt; null if there was no response. */
    response_status: number | null
    fault: string | null
    /** The time of the next attempt. Team time, as are the two times below. */
    next_at: number | null
    attempted_at: number | null
    finished_at: number | null
    /** The id of the request that first caused it; null: no request did. */
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
    /** The period that it covers, team time: `from_time` is included, `to_time` is not. */
    from_time: number
    to_time: number
    metadata: Json<Metadata> | null
    /** The file with its content; null until it is written. */
    file: string | null
    created_at: number
    updated_at: number
  }
  /** The text of report files, in numbered parts. */
  report_parts: { team_id: string; file: string; number: number; report_id: string; text: string }
  forwarding_requests: {
    id: string
    team_id: string
    /**
     * Sealed JSON of the request as the customer sent it, with unfilled templates: url, method, headers, body,
     * bindings.
     */
    request: string
    status: 'processing' | 'completed' | 'failed'
    /** Sealed JSON of the response, without the values that were filled in; null if there was no response. */
    response: string | null
    /**
     * Why it failed; `unknown`: the service stopped while waiting for the response; `binding`: a value was deleted
     * before sending.
     */
    fault: OutboundFault | 'unknown' | 'binding' | null
    /** When it was sent, real time. It is sent only once. */
    sent_at: number | null
    duration_ms: number | null
    metadata: Json<Metadata> | null
    /** 1 if forwarding_holders lists the holders of its bound values; 0 for requests of earlier releases. */
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
    /** JSON: the names and images that the customer wants displayed. */
    display: string
    /** The URL to which this token's hosted page redirects at the end; null: the token is for an element. */
    redirect_url: string | null
    /**
     * The maximum age in days of a phone proof for this token; 0: always ask for a code; null: the team's setting
     * applies.
     */
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
    /** When the person proved their phone, with this bearer or recently enough before. Null: not yet. */
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
   * Sends and guesses within a window that ends at `ends_at`, in team time; `subject` is a keyed hash. The store also
   * counts payments by month here: `kind` is `payments YYYY-MM`, and `subject` is the team's path, a slash and a slot.
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
    /** JSON; null if it is fetched. */
    jwk: string | null
    well_known_endpoint: string | null
    /** JSON list: the id of the key, or the ids in the set when it was registered. */
    kids: Json<string[]>
    status: 'active' | 'deleted'
    created_at: number
    updated_at: number
  }
  audit: {
    id: string
    /** `team_operator` if the entry concerns no team. */
    team_id: string
    actor: string
    action: string
    resource_id: string | null
    /** The request that did it; null: none did, as for commands of the operator. */
    request_id: string | null
    /** The reason that a console user gave; sealed if a person's values were revealed. */
    reason: string | null
    created_at: number
  }
  faults: { team_id: string; target: string; mode: string; until: number }
  /** The log of requests of the last 30 days. */
  requests: {
    id: string
    team_id: string
    method: string
    /** The route's template, never the path. */
    route: string
    status: number
    /** Why it was refused; null: it was not refused. */
    sub_type: string | null
    ms: number
    /** Null if it was refused before its version was read. */
    version: string | null
    /** A key, or the handle of a token. */
    actor: string
    source: 'api' | 'console'
    idempotency: 'stored' | 'replayed' | 'mismatch' | 'bypassed'
    resource_ids: Json<string[]>
    /** Sealed JSON of the body without personal values; null after 7 days. */
    request: string | null
    /** Sealed JSON of the answer, in the same way. */
    response: string | null
    created_at: number
  }
  /** The requests that named a resource, or whose answer named it. */
  request_refs: { team_id: string; about: string; request_id: string; sub_type: string | null; created_at: number }
  /** Counts of the request log by hour. */
  request_counts: {
    team_id: string
    /** The start of the hour, epoch milliseconds. */
    hour: number
    status: number
    /** Empty if the request succeeded. */
    sub_type: string
    /** The class of the requests' duration: see {@link timeClass}. */
    ms: number
    count: number
  }
  /** Every attempt to send a delivery in the last 30 days. */
  delivery_attempts: {
    team_id: string
    delivery_id: string
    webhook_id: string
    /** Team time. */
    attempted_at: number
    /** The number of the attempt since the delivery was last queued, from 1. */
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
    /** Identifies the session in the audit log, where the cookie must not appear. */
    id: string
    /** The key that was exchanged for the session; null: an operator's link was. */
    key_id: string | null
    idle_until: number
    expires_at: number
    created_at: number
  }
}

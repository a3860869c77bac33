// biome-ignore-all lint/style/noExcessiveLinesPerFile: it describes all tables.
import type { ResourceError } from '@causeway/contract/errors'
import type { ReversalStatus } from '@causeway/contract/resources/payment'
import type { ReportType } from '@causeway/contract/resources/report'
import type { Mode } from '@causeway/contract/session'
import type { OutboundFault } from '../outbound/outbound.js'
import type { TeamSettings } from '../team.js'

declare const held: unique symbol

/** The text of a JSON column, tagged with the type of its content. Only `writeJson` creates it. */
export type Json<T> = string & { readonly [held]: T }

/** Metadata that customers store with a resource. */
export type Metadata = Record<string, unknown>

/**
 * The rows of each table, as both engines store them. Ids and JSON are stored as text, times as epoch milliseconds, and
 * flags as 0 or 1.
 */
export interface Tables {
  settings: { name: string; value: string }
  /** Holds a single row. See migrate.ts. */
  schema_state: { id: number; version: number; min_build: number }
  /** Maps a request's credential to its team. The key is a token's handle or the hash of a frame's bearer. */
  directory: { key: string; team_id: string }
  teams: {
    id: string
    parent_id: string | null
    /** The ids from the root of the team's tree to the team, separated by slashes. */
    path: string
    name: string
    version: string
    settings: Json<TeamSettings>
    /** The team's sandbox time minus real time, in ms. */
    clock_offset: number
    /** The team's data key, wrapped with the master key. */
    data_key: string
    /** Sealed JSON: the legal name, EIN, contacts and address. Null if none was given. */
    details: string | null
    /**
     * The time at which the team's payments were stopped, or null if they aren't stopped. While payments are stopped,
     * the service neither creates nor submits any.
     */
    payments_stopped_at: number | null
    /** `command` if an operator command started the stop, so that only a command can lift it. */
    payments_stop_source: 'command' | null
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
    /** The key that created this key; null if the operator created it. */
    created_by: string | null
    created_at: number
    last_used_at: number | null
    revoked_at: number | null
  }
  /**
   * Operator grants that apply to a team and the teams below it: `on` or `off` for a power; a number or `none` for a
   * limit.
   */
  team_grants: { team_id: string; name: string; value: string }
  idempotency: {
    team_id: string
    key: string
    /** `waiting`: the effect is committed, and the response depends on a job. `done`: the response is stored. */
    state: 'waiting' | 'done'
    method: string
    path: string
    body_hash: string
    /** The id of the entity, account or other resource that the response is about. */
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
    /** The runs started since the job last completed one. An earlier run may have acted, even if its process was killed. */
    attempts: number
    /** The number of claims. Never reset: with the owner, it identifies a claim. */
    claims: number
    /** The consecutive runs that failed because of the job itself, not because of the store. */
    failures: number
    /** The consecutive runs during which the process that ran the job died or lost its lease. */
    takeovers: number
    last_error: string | null
    unique_key: string | null
    /** The job's lane, which is a group of jobs that share a limit; null if it has none. */
    lane: string | null
    /** The id of the request that created this row, directly or through a job; null if no request did. */
    request_id: string | null
    created_at: number
  }
  /** Actions that have been sent to the connector or are about to be sent. See network/connectors/sent-calls.ts. */
  connector_acts: { method: string; request_id: string; team_id: string; sent_at: number }
  /** Pushes accepted from the connector. */
  connector_pushes: { team_id: string; id: string; received_at: number }
  /**
   * The first answers of providers to acts and checks. `answer` is sealed. `question` is a hash of a check's question;
   * empty for an act.
   */
  provider_calls: {
    team_id: string
    path: string
    request_id: string
    question: string
    answer: string
    created_at: number
  }
  /** The rows that a provider keeps for a team. `value` is sealed JSON. Null in `expires_at` if the row is kept. */
  provider_rows: {
    team_id: string
    provider: string
    kind: string
    id: string
    value: string
    expires_at: number | null
    updated_at: number
  }
  /** The objects at a provider that belong to a resource, by the provider's own ids. */
  provider_objects: {
    team_id: string
    provider: string
    external_id: string
    kind: 'payment' | 'reversal' | 'session' | 'account' | 'link'
    resource_id: string
    /** The line of the provider's statement with which the money left, and the one with which it came back. */
    line_id: string | null
    return_line_id: string | null
    created_at: number
  }
  /** Webhooks accepted from providers. */
  provider_hooks: { provider: string; id: string; received_at: number }
  /** Pushes that providers in a process of their own owe to the service. See network/providers/outbox.ts. */
  provider_pushes: {
    team_id: string
    id: string
    kind: 'payment' | 'reversal'
    resource_id: string
    attempts: number
    next_at: number
    created_at: number
  }
  /**
   * The ways in which merchants are paid. A row never changes, except for its status: a change is a new row, which a second person
   * confirms. `details` is sealed JSON.
   */
  payees: {
    id: string
    mch_id: string
    status: 'proposed' | 'active' | 'replaced' | 'rejected' | 'removed'
    route: 'ach' | 'check' | 'card_push'
    /** The row's data key, wrapped with the master key. */
    data_key: string
    details: string
    /** The maximum amount of one payment, in cents. */
    max_amount: number | null
    note: string | null
    proposed_by: string
    proposed_at: number
    decided_by: string | null
    decided_at: number | null
  }
  /**
   * Notifications of a bank that later payments must use other details. `at` is in team time, and the other times are in
   * real time.
   */
  payment_notices: {
    team_id: string
    payment_id: string
    /** Such as `C01`. */
    code: string
    at: number
    /** Sealed JSON: the corrected details. Null after they were stored on the account. */
    corrected: string | null
    /** The time at which the details were stored on the account. Null if a person must correct them. */
    handled_at: number | null
    created_at: number
  }
  /**
   * The institutions that each person has linked at the provider of account data, as last read, and the page on which they
   * can link more. Times are in team time.
   */
  entity_links: {
    team_id: string
    entity_id: string
    /** The number of pages that were created for the person so far. */
    pages: number
    /** The id of the request that created the current page. Null if there is none. */
    request_id: string | null
    /** Sealed JSON: the current page. */
    page: string | null
    expires_at: number | null
    /** The time at which the person last opened the current page. Null if they have not, or have left it. */
    opened_at: number | null
    /** The reason that nothing was linked on the last page. Null if something was, or if the outcome is unknown. */
    ending: 'closed' | 'expired' | 'failed' | null
    /** Sealed JSON: the institutions, and the ids of those that were disconnected. */
    institutions: string
    /** The number of institutions that need another sign-in. */
    repairs: number
    /** The time at which the institutions were read. */
    checked_at: number
    /** The time at which an institution was last linked or repaired. */
    linked_at: number | null
  }
  /** The health of each provider. `rejected_key_at` is null while the provider accepts the credentials. */
  provider_states: {
    provider: string
    rejected_key_at: number | null
    hook_at: number | null
  }
  /** Calls to each provider, and its webhooks, by hour. `failed_at`, `failure` and `failed_path` describe the hour's last failure. */
  provider_usage: {
    provider: string
    /** The start of the hour. */
    hour: number
    calls: number
    failures: number
    hooks: number
    failed_at: number | null
    failure: string | null
    failed_path: string | null
  }
  /** Comparisons of a provider's statement with the store. The days are inclusive, in UTC. Times are real. */
  reconciliations: {
    team_id: string
    id: string
    provider: string
    from_day: string
    to_day: string
    status: 'scheduled' | 'complete' | 'failed'
    /** JSON: the part that is done; null before the first part and after the last. */
    progress: string | null
    /** JSON; null until the run is complete. */
    result: string | null
    created_at: number
    ended_at: number | null
  }
  /**
   * The comparisons of each team with a provider. `complete_at` is the time at which the last complete run was scheduled or, before the first one, the time
   * at which the team was first seen. `has_run` is 1 after the first complete run.
   */
  reconciliation_states: {
    team_id: string
    provider: string
    scheduled_at: number
    complete_at: number
    has_run: number
  }
  /**
   * Differences between a provider's statement and the store. `subject` is the line or the resource, so that the next run finds the
   * same row. Times are real, except for `at`: the time of the line or of the resource.
   */
  reconciliation_exceptions: {
    team_id: string
    id: string
    provider: string
    kind: string
    subject: string
    resource_id: string | null
    line_id: string | null
    /** In cents, as on the statement: negative for money out. */
    amount: number
    expected_amount: number | null
    at: number
    first_seen_at: number
    last_seen_at: number
    /** The time of the run that no longer found the difference. */
    resolved_at: number | null
    explained_at: number | null
    /** The name of the operator who explained it. */
    explained_by: string | null
    /** Sealed. */
    explanation: string | null
  }
  /** The targets of outgoing jobs, and their health. `paused_until` is in real time. */
  lanes: { lane: string; team_id: string; paused_until: number; failures: number }
  entities: {
    id: string
    team_id: string
    type: 'individual' | 'corporation'
    /** The kind specified when the corporation was created; null for an individual. */
    kind: string | null
    status: 'active' | 'incomplete' | 'disabled'
    /** All personal details, as sealed JSON. */
    details: string | null
    /**
     * JSON: the names of details that were entered in a frame and have not been verified yet. Such details can still be
     * replaced.
     */
    typed: string
    /** True if the first name, last name and phone number are known. A lookup requires all three. */
    nameable: number
    /** The network's reference for the matched person. */
    person: string | null
    matched: number
    phone_verified_at: number | null
    /**
     * The time at which the person last verified their phone number. A returning person must verify the number again
     * when this proof is too old: see flow/session/bearer-proof.ts.
     */
    phone_proved_at: number | null
    phone_session: string | null
    identity_verified_at: number | null
    identity_session: string | null
    /** JSON: the names of active subscriptions. */
    subscribed: string
    /**
     * The time at which an element first searched for accounts. Null if no element has done so, even if the team has
     * requested a search.
     */
    element_connect_at: number | null
    /**
     * The time at which the person agreed, in an element, to share accounts that they open later; null if the person
     * has not agreed.
     */
    future_accounts_at: number | null
    /**
     * JSON: the products that the person agreed to share; null if consent in the flow doesn't limit the customer's
     * access. See people/holders/consent-rules.ts.
     */
    agreed: string | null
    /** The id of the latest job that matches the entity to a person; null if there was none. */
    match_job: string | null
    /** The time at which consent was withdrawn and the data was deleted. */
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
    /** The network's reference for the account. */
    reference: string | null
    payable: 'yes' | 'needs_number' | 'no'
    supports: string
    /** Sealed JSON: the details of a card, or the address of a mortgaged home. */
    details: string | null
    verified_at: number | null
    /** JSON: the proofs from verification sessions. */
    proven: string
    /** JSON: the names of active subscriptions. */
    subscribed: string
    /**
     * Null if the account is shared with the team. Otherwise the connect that found it, or the account's own id if it
     * was shared before.
     */
    awaits_consent: string | null
    /**
     * The time at which the person left the account out, or at which it was found for the person to choose from. The
     * team can't see the account, not even as one that awaits consent. Null for a shared account.
     */
    hidden_at: number | null
    /** The time at which the account was shared; null if it was shared when it was created, or never. */
    shared_at: number | null
    /** JSON: the products of the account that the person agreed to share; null if access is not limited. */
    agreed: string | null
    /** The time at which consent was withdrawn and the data was deleted. */
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
    /** The request as JSON; sealed if the product requires it. */
    request: string
    /** The result as JSON; sealed if the product requires it. */
    data: string | null
    error: Json<ResourceError> | null
    /** The subscription that created the record; null if none did. */
    subscription_id: string | null
    /**
     * The change for which the record was created; null if the record was requested. A holder has one record per
     * product and change.
     */
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
    /** The team time of the next check; null if the subscription has ended or never checks automatically. */
    next_at: number | null
    /** The cursor for the next read of the external list of changes; null to read it from the start. */
    cursor: string | null
    /** The service emits no events for changes up to this team time. */
    watched_from: number | null
    created_at: number
    updated_at: number
  }
  /** A keyed hash of each word in an entity's name, used to search by name. */
  name_words: { team_id: string; word: string; entity_id: string }
  /** The events to simulate for an entity in the sandbox. */
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
    /** The payment instrument that received the payment. */
    payment_instrument: string | null
    /** True if a simulation request changed the payment's status in the sandbox. The rail's state may then differ. */
    simulated: number
    /** Team time; null if the payment has not failed. */
    failed_at: number | null
    /** The rail's own code for the latest return or failure. `at` is in epoch milliseconds. */
    returned_as: Json<{ code: string; at: number; trace: string | null }> | null
    /** The provider whose rail the payment goes to. Null for payments created before the column was added. */
    provider: string | null
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
  /** A double-entry, append-only ledger. Rows are inserted and never changed. */
  ledger: {
    payment_id: string
    /**
     * The payment status that caused the posting, and the posting's number within that status. A payment enters each
     * status only once.
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
    /** Sealed JSON: see notify/events/states.ts. */
    data: string
    /** Sealed JSON in erased events and in events of an earlier form. Empty in all others. */
    diff: string
    /** The path from which the resource can be read; null if it has none. */
    path: string | null
    /** JSON: the ids of the entity, account or payment to which the resource belongs. */
    refs: string | null
    /** The id of the request that created this row, directly or through a job; null if no request did. */
    request_id: string | null
    created_at: number
  }
  webhooks: {
    id: string
    team_id: string
    type: string
    url: string
    /** The lane that all deliveries to the same endpoint share. */
    lane: string
    expand_event: number
    /** The API version of the webhook's payloads; null to use the team's version. */
    api_version: string | null
    /**
     * 1 if the webhook was created through `/enveloped`, so that deliveries also include that mount's signature
     * headers.
     */
    peer_headers: number
    /** 1 if the beginning of each response is stored; 0 if that was turned off; null if it was never turned on. */
    store_responses: number | null
    /** 1 if `hmac_secret` is shorter than the root mount accepts; null if it isn't. */
    weak_secret: number | null
    /** Sealed. */
    auth_token: string | null
    /** Sealed. */
    hmac_secret: string | null
    /** Sealed: the previous secret, with which deliveries are also signed until `previous_until` (real time). */
    previous_secret: string | null
    previous_until: number | null
    /** The number of deliveries that have failed permanently since the last successful one. */
    failures: number
    /** Not used. */
    counted_since: number
    /** The time of the first failed attempt since a delivery succeeded or the webhook was enabled; null if none. */
    failing_since: number | null
    /** The same moment in real time, which the sandbox clock doesn't move. */
    failing_since_real: number | null
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
    /** The time at which the event occurred. */
    event_at: number
    status: 'pending' | 'delivered' | 'failed' | 'canceled'
    /** The number of attempts since the delivery was last queued. */
    attempts: number
    /** The HTTP status of the last attempt; null if there was no response. */
    response_status: number | null
    fault: string | null
    /** The time of the next attempt. This column and the next two are in team time. */
    next_at: number | null
    attempted_at: number | null
    finished_at: number | null
    /** The id of the request that created the delivery, directly or through a job; null if no request did. */
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
    /** The period that the report covers, in team time. It includes `from_time` but not `to_time`. */
    from_time: number
    to_time: number
    metadata: Json<Metadata> | null
    /** The id of the file that holds the report; null until it is written. */
    file: string | null
    created_at: number
    updated_at: number
  }
  report_schedules: {
    id: string
    team_id: string
    /** JSON lists. `recipients` is sealed, and null if there are none. */
    types: string
    delivery_methods: string
    recipients: string | null
    cron: string
    status: 'active' | 'inactive'
    /** The team time of the next run; null if the schedule is inactive. */
    next_at: number | null
    created_at: number
    updated_at: number
  }
  /** The text of report files, in numbered parts. */
  report_parts: { team_id: string; file: string; number: number; report_id: string; text: string }
  forwarding_requests: {
    id: string
    team_id: string
    /**
     * Sealed JSON of the request as the customer sent it, before its templates were filled in: url, method, headers,
     * body, bindings.
     */
    request: string
    status: 'processing' | 'completed' | 'failed'
    /** Sealed JSON of the response, without the values that were filled in; null if there was no response. */
    response: string | null
    /**
     * The reason that the request failed. `unknown`: the service stopped while waiting for the response. `binding`: a
     * value was deleted before the request was sent.
     */
    fault: OutboundFault | 'unknown' | 'binding' | null
    /** The real time at which the request was sent. Each request is sent only once. */
    sent_at: number | null
    duration_ms: number | null
    metadata: Json<Metadata> | null
    /** 1 if `forwarding_holders` lists the holders of the bound values; 0 for requests from earlier releases. */
    linked: number
    created_at: number
    updated_at: number
  }
  /** The accounts whose values are included in a forwarding request. */
  forwarding_holders: { team_id: string; holder_id: string; request_id: string }
  sessions: {
    id: string
    team_id: string
    /** For an inline entity, null until the token is redeemed. */
    entity_id: string | null
    /** Sealed JSON of the entity to create. */
    inline_entity: string | null
    mode: Mode
    config: string
    config_hash: string
    revision: number
    /** JSON: the person's progress. */
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
    /** JSON list; null to use the team's origins. */
    origins: string | null
    appearance: string | null
    /** JSON: the names and images to display, as provided by the customer. */
    display: string
    /**
     * The URL to which the token's hosted page redirects when the session ends; null if the token is for an element.
     */
    redirect_url: string | null
    /**
     * The maximum age of a phone proof for this token, in days. 0 always requires a code; null uses the team's setting.
     */
    phone_proof_days: number | null
    expires_at: number
    consumed_at: number | null
    exchange_hash: string | null
    exchange_until: number | null
    revoked_at: number | null
    /** The key that created the token; null if unknown, as for tokens from earlier releases. */
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
    /**
     * The time of the phone proof on which this bearer relies; null if there is none yet. The proof may predate the
     * bearer.
     */
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
    /** The recipients that the document named, as JSON; null in rows that an earlier version created. */
    recipients: string | null
    /** JSON: the products that the document named; null if it named every product. */
    products: string | null
    created_at: number
  }
  /**
   * Counts of limited actions, such as sending a code or guessing wrong, in a window that ends at `ends_at` (team
   * time). `subject` is a keyed hash. This table also counts payments by month: `kind` is `payments YYYY-MM`, and
   * `subject` consists of the team's path, a slash and a slot.
   */
  counters: { kind: string; subject: string; used: number; ends_at: number }
  service_keys: {
    id: string
    n: string
    e: string
    /** Sealed; empty after the key is disabled. */
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
    /** JSON; null if the key is fetched from `well_known_endpoint`. */
    jwk: string | null
    well_known_endpoint: string | null
    /** JSON list: the key's id, or the ids that the key set contained when it was registered. */
    kids: Json<string[]>
    status: 'active' | 'deleted'
    created_at: number
    updated_at: number
  }
  audit: {
    id: string
    /** `team_operator` if the entry isn't specific to a team. */
    team_id: string
    actor: string
    action: string
    resource_id: string | null
    /** The id of the request that performed the action; null if there was none, as for operator commands. */
    request_id: string | null
    /** The console session that performed the action, and the name of its user; null outside the console. */
    session_id: string | null
    actor_name: string | null
    /** The reason that a console user gave; sealed, except those of operators' payment stops. */
    reason: string | null
    /** JSON: the values that changed; null if the action changes none. */
    changes: string | null
    created_at: number
  }
  faults: { team_id: string; target: string; mode: string; until: number }
  /** Files about people. `size` is in bytes. `expires_at` is null once the file is complete. */
  files: {
    team_id: string
    id: string
    entity_id: string
    type: string
    mime_type: string
    size: number
    parts: number
    expires_at: number | null
    created_at: number
  }
  /** Parts of files. `content` is sealed. */
  file_parts: { team_id: string; file_id: string; number: number; content: string }
  /** Preauth signals. `likelihood` is in hundredths of a percent. */
  preauths: {
    team_id: string
    id: string
    account_id: string | null
    ownership: string | null
    standing: string | null
    likelihood: number | null
    retry_at: number | null
    error: Json<ResourceError> | null
    metadata: Json<Metadata> | null
    created_at: number
  }
  /** Events that teams reported about people. `identity` and `context` are sealed. */
  intents: {
    team_id: string
    id: string
    event: string
    identity: string
    context: string
    metadata: Json<Metadata> | null
    created_at: number
  }
  /** Transactions of managed accounts that teams simulate. `amount` is in cents, negative for outgoing money. */
  simulated_transactions: { team_id: string; id: string; amount: number; created_at: number }
  /** A log of requests in the last 30 days. */
  requests: {
    id: string
    team_id: string
    method: string
    /** The route's template, never the actual path. */
    route: string
    status: number
    /** The reason that the request was rejected; null if it was not. */
    sub_type: string | null
    ms: number
    /** Null if the request was rejected before its version was read. */
    version: string | null
    /** The id of a key, or the handle of a token. */
    actor: string
    source: 'api' | 'console'
    idempotency: 'stored' | 'replayed' | 'mismatch' | 'bypassed'
    resource_ids: Json<string[]>
    /** The id of the `request_bodies` row that holds the bodies; null if none were stored. */
    bodies_id: string | null
    /** Sealed JSON of the request body; null except in rows from earlier releases. */
    request: string | null
    /** Sealed JSON of the response body; null except in rows from earlier releases. */
    response: string | null
    created_at: number
  }
  /** The bodies of several requests from one team, without personal values. Bodies are stored for 7 days. */
  request_bodies: {
    team_id: string
    id: string
    /** Compressed and sealed JSON: for each request id, the request body and the response body. */
    sealed: string
    /** The time of the latest request. */
    created_at: number
  }
  /** Links each resource to the requests whose path, body or response contains its id. */
  request_refs: { team_id: string; about: string; request_id: string; sub_type: string | null; created_at: number }
  /** Hourly counts of logged requests. */
  request_counts: {
    team_id: string
    /** The start of the hour, in epoch milliseconds. */
    hour: number
    status: number
    /** Empty if the requests succeeded. */
    sub_type: string
    /** The duration class of the requests: see {@link timeClass}. */
    ms: number
    count: number
  }
  /** All delivery attempts in the last 30 days. */
  delivery_attempts: {
    team_id: string
    delivery_id: string
    webhook_id: string
    /** Team time. */
    attempted_at: number
    /** The attempt's number since the delivery was last queued, starting at 1. */
    number: number
    ms: number
    response_status: number | null
    fault: string | null
    /** The outcome, if this attempt ended the delivery; null if another attempt followed. */
    outcome: 'delivered' | 'failed' | null
    /** The real time at which the delivery was signed. */
    sent_at: number | null
    /** The API version of the event in the body. */
    version: string | null
    /** Sealed: the beginning of the response, if the webhook stores responses. */
    excerpt: string | null
  }
  /** One-time links to the console, keyed by the hash of their secret. A link is deleted when it is used. */
  console_links: {
    team_id: string
    hash: string
    /** The id of the session that the link will start. */
    session_id: string | null
    /** The user's role and name; null for an operator. */
    role: string | null
    name: string | null
    expires_at: number
    created_at: number
  }
  /** Browsers that are signed in to the console, keyed by the hash of their cookie. Times are in real time. */
  console_sessions: {
    team_id: string
    hash: string
    /** Identifies the session in the audit log, where the cookie must not appear. */
    id: string
    /** The key that was exchanged for the session; null if a link was exchanged instead. */
    key_id: string | null
    /** The role and name from the link; null for keys, for users and for an operator. */
    role: string | null
    name: string | null
    /** The user who signed in; null for a key or a link. */
    user_id: string | null
    /** 1 if the user presented a second factor; null for a key or a link. */
    has_second_factor: 0 | 1 | null
    /** Sealed: the tokens of the OpenID provider that signed the user in; null for other sign-ins. */
    provider: string | null
    /** The time at which the OpenID provider was last asked about the user. */
    checked_at: number | null
    /** Hash of the session's id at the OpenID provider, if the provider sent one. */
    provider_sid_hash: string | null
    idle_until: number
    expires_at: number
    created_at: number
  }
  /** People who may sign in to the console. Times are in real time, also in the following tables. */
  console_users: {
    team_id: string
    id: string
    /** Sealed. */
    email: string
    /** Keyed hash of the team and the lowercase email. */
    email_hash: string
    /** Null until the user accepts the invitation. */
    name: string | null
    role: string
    /** 1 if the user may also use the operator endpoints. */
    is_operator: 0 | 1
    status: 'invited' | 'active' | 'disabled'
    /** The user, key or operator who invited the user, or `oidc` if the OpenID provider's groups did. */
    invited_by: string
    signed_in_at: number | null
    created_at: number
    updated_at: number
  }
  /** Links with which a user adds a first sign-in, keyed by the hash of their secret. Deleted when used. */
  console_invitations: { team_id: string; hash: string; user_id: string; expires_at: number; created_at: number }
  console_passkeys: {
    team_id: string
    id: string
    user_id: string
    /** The credential's id and public key, in base64url. */
    credential_id: string
    public_key: string
    /** The authenticator's signature counter; 0 if it has none. */
    counter: number
    transports: Json<string[]>
    name: string
    /** 1 if the passkey is copied between the user's devices. */
    is_synced: 0 | 1
    last_used_at: number | null
    created_at: number
  }
  /** Accounts at an OpenID provider that sign a user in. */
  console_identities: { team_id: string; issuer: string; subject: string; user_id: string; created_at: number }
  /** The views of lists that users saved. */
  console_views: {
    team_id: string
    id: string
    /** The user, key or link name that all sessions of the owner share. */
    owner: string
    /** The path of the list's page. */
    list: string
    name: string
    /** The query of the page's URL. */
    query: string
    created_at: number
  }
  /** Sign-ins that have begun, keyed by the hash of the challenge or state. Deleted when used. */
  console_challenges: {
    /** `team_operator` until the user is known. */
    team_id: string
    hash: string
    /** A logout token of the provider is stored so that it is accepted once. */
    kind: 'sign_in' | 'register' | 'oidc' | 'logout'
    /** The user who adds a passkey. */
    user_id: string | null
    /** Hash of the cookie of the browser that began a sign-in at an OpenID provider. */
    browser_hash: string | null
    /** The invitation that the sign-in accepts. */
    invitation_hash: string | null
    expires_at: number
  }
  /** Requests of the console that wait for a second person, or waited for one. */
  console_approvals: {
    team_id: string
    id: string
    action: string
    /** Still `waiting` after it has expired. */
    status: 'waiting' | 'approved' | 'failed' | 'declined' | 'withdrawn'
    /** The resource that the request changes. */
    resource_id: string | null
    /** The session whose payments the request creates. */
    session_id: string | null
    /** Sealed JSON: the request, who asked for it and why. */
    request: string
    /** The actor who asked. */
    asked_by: string
    /** Keyed hash of the request's Idempotency-Key; null if it had none. */
    key_hash: string | null
    /** The actor who approved, declined or withdrew it, and that actor's name. */
    decided_by: string | null
    decided_name: string | null
    /** Sealed: why it was declined, or the error with which it failed. */
    note: string | null
    decided_at: number | null
    expires_at: number
    created_at: number
  }
  /** The amount, in cents, above which a team's payments in the console need a second person. No row: nothing does. */
  console_policies: { team_id: string; approve_above: number; updated_at: number }
}

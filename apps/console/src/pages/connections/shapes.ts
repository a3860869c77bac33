/** Types of responses from the operator endpoints for providers, payees and notices. */

import type { RepairCount } from '../../shapes.js'

interface Counts {
  calls: number
  failures: number
  webhooks: number
}

/** A configured provider. No secret is part of it. */
export interface Connection {
  name: string
  title: string
  environment: 'sandbox' | 'production' | 'any'
  hosts: string[]
  proven: { level: 'emulator' | 'sandbox' | 'live'; on: string } | null
  /** The paths of the methods that it serves. */
  methods: string[]
  /** The methods that it could serve, and the provider that serves each instead. */
  other_methods: { method: string; provider: string | null }[]
  settings: { name: string; is_secret: boolean; is_set: boolean; value: string | null }[]
  key_rejected_at: string | null
  receives_webhooks: boolean
  webhook_at: string | null
  /** Null if the provider's calls are not counted. */
  day: Counts | null
  week: Counts | null
  last_failure: { at: string; kind: string; method: string } | null
}

/** A part of the service that needs providers. */
export interface Capability {
  /** Such as `entity_product`. */
  kind: string
  name: string
  /** The reason that it is not offered; null if it is. */
  reason: string | null
  providers: string[]
}

/** The response to `GET /operator/connections`. */
export interface Connections {
  data: Connection[]
  capabilities: Capability[]
  /** The number of people who must sign in to an institution again, up to 1,000. */
  repairs: RepairCount
}

export interface OperatorList<T> {
  data: T[]
  next_cursor: string | null
}

interface MerchantName {
  id: string
  name: string | null
}

/** An entry of `GET /operator/payees`. */
export interface Payee {
  id: string
  merchant: MerchantName
  status: 'proposed' | 'active'
  route: string
  details: Record<string, string>
  /** In cents. */
  max_amount: number | null
  note: string | null
  proposed_by: string
  proposed_at: string
  confirmed_by: string | null
  confirmed_at: string | null
}

/** An entry of `GET /operator/notices`. */
export interface Notice {
  team_id: string
  payment_id: string
  account_id: string | null
  merchant: MerchantName | null
  code: string
  at: string
  received_at: string
  corrected: Record<string, string>
  state: 'open' | 'account_corrected' | 'payee_confirmed'
}

/** An entry of `GET /operator/exceptions`: a difference between a provider's statement and the store. */
export interface Exception {
  id: string
  team_id: string
  provider: string
  kind: string
  status: 'open' | 'explained' | 'resolved'
  /** The payment or reversal, if there is one. */
  resource_id: string | null
  /** The id of the line on the statement, if there is one. */
  line_id: string | null
  /** In cents. For a line, negative for money out. */
  amount: number
  expected_amount: number | null
  at: string
  first_seen_at: string
  last_seen_at: string
  resolved_at: string | null
  explanation: { by: string; at: string; text: string } | null
}

/** An entry of `GET /operator/reconciliations`: one comparison of a statement with the store. */
export interface Reconciliation {
  id: string
  team_id: string
  provider: string
  /** The first and the last day, in UTC. */
  from: string
  to: string
  status: 'scheduled' | 'complete' | 'failed'
  created_at: string
  ended_at: string | null
  /** Null until the comparison is complete. Amounts are in cents. */
  result: {
    lines: number
    matched: number
    recent: number
    exceptions: number
    money_in: number
    money_out: number
    other: { category: string; count: number; sum: number }[]
  } | null
}

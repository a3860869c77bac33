/** Types of responses from the operator endpoints for providers, payees and notices. */

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

/** The response to `GET /operator/connections`. */
export interface Connections {
  data: Connection[]
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

import type { KeyScope } from '@causeway/contract/resources/team'
import type { Version } from '@causeway/contract/versions'

/** Settings that a team changes for itself. */
export interface TeamSettings {
  default_source_account: string | null
  payment_description: string
  allowed_origins: string[]
  brand: {
    name: string
    logo: string | null
    primary_color: string | null
    support_url: string | null
    privacy_url: string | null
  }
  appearance: 'light' | 'dark' | 'system'
  /** Product names that are switched on. */
  products: string[]
  /** Identity methods that are switched on, in the order they are listed. */
  identity_methods: string[]
  forwarding_allow_list: string[]
  webhook_schedule: 'standard' | 'long'
  /** True where payments may go to ach accounts. */
  ach_destinations: boolean
  limits: {
    payment_amount_max: number | null
    payments_per_month: number | null
    sensitive_reads_per_day: number | null
  }
  /** True where requests that are not encrypted are refused. */
  require_encryption: boolean
  /** After how many days a returning person shows a phone code again; null: never. */
  phone_proof_days: number | null
  /** The kid or the id of a registered public key, for answers to requests that name none. */
  default_encryption_key: string | null
}

/** A team as a request needs it. */
export interface Team {
  readonly id: string
  readonly parentId: string | null
  /** The ids from the root of its tree down to its own. */
  readonly path: readonly string[]
  readonly name: string
  readonly version: Version
  readonly settings: TeamSettings
  readonly clockOffset: number
  /** True if the operator stopped its payments, those of a team above it, or all payments. */
  readonly paymentsStopped: boolean
  readonly dataKey: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** The holder of a secret key. */
export interface Holder {
  readonly actor: string
  readonly team: Team
  readonly scopes: ReadonlySet<KeyScope>
}

export interface Access {
  /** The team behind a secret key. Throws UNAUTHORIZED or FORBIDDEN. */
  secret(authorization: string | undefined, origin: string | undefined): Promise<Holder>
  /** Clears a team's cache: after its settings, clock or keys changed. */
  forget(team: string): void
}

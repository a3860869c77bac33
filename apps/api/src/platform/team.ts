import type { KeyScope } from '@causeway/contract/fields/key-scopes'
import type { AccountSharing } from '@causeway/contract/session'
import type { Version } from '@causeway/contract/versions'

/** Settings that a team can change. */
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
  /** The names of the enabled products. */
  products: string[]
  /** The enabled identity methods, in display order. */
  identity_methods: string[]
  forwarding_allow_list: string[]
  webhook_schedule: 'standard' | 'long'
  /** True if payments to ACH accounts are allowed. */
  ach_destinations: boolean
  limits: {
    payment_amount_max: number | null
    payments_per_month: number | null
    sensitive_reads_per_day: number | null
  }
  /** True if unencrypted requests are rejected. */
  require_encryption: boolean
  /** The accounts that the team sees of people who choose accounts. Null means the default for the token's mount. */
  account_sharing: AccountSharing | null
  /** The number of days after which a returning person must verify their phone number again; null for never. */
  phone_proof_days: number | null
  /** The kid or id of the registered public key used to encrypt responses to requests that don't specify a key. */
  default_encryption_key: string | null
}

/** The properties of a team that are needed to handle requests. */
export interface Team {
  readonly id: string
  readonly parentId: string | null
  /** The ids of the teams on the path from the root of the tree to this team, in order. */
  readonly path: readonly string[]
  readonly name: string
  readonly version: Version
  readonly settings: TeamSettings
  readonly clockOffset: number
  /** True if the operator stopped payments for the team, for a team above it or for all teams. */
  readonly paymentsStopped: boolean
  readonly dataKey: string
  /** Sealed JSON: the team's legal details; null if none were given. */
  readonly details: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** The caller identified by a secret key. */
export interface Holder {
  readonly actor: string
  readonly team: Team
  readonly scopes: ReadonlySet<KeyScope>
}

export interface Access {
  /** Returns a secret key's team and scopes. Throws UNAUTHORIZED or FORBIDDEN. */
  secret(authorization: string | undefined, origin: string | undefined): Promise<Holder>
  /** Removes a team from the cache. Call this after a team's settings, clock or keys change. */
  forget(team: string): void
}

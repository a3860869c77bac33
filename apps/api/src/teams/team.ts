import type { Version } from '@causeway/contract/versions'

/** What a team can set for itself. Source: rulings 13. */
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
  /** Whether payments may go to ach accounts. */
  ach_destinations: boolean
  limits: { payment_amount_max: number | null; payments_per_month: number | null }
  /** After how many days a returning person shows a phone code again; null: never. */
  phone_proof_days: number | null
  /** The kid or the id of a registered public key, for answers to requests that name none. */
  default_encryption_key: string | null
}

/** A team as a request needs it. */
export interface Team {
  readonly id: string
  readonly parentId: string | null
  readonly name: string
  readonly version: Version
  readonly settings: TeamSettings
  readonly clockOffset: number
  /** Whether the operator stopped its payments, or everybody's. */
  readonly paymentsStopped: boolean
  readonly dataKey: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a new team has. */
const usualProducts = [
  'balance',
  'update',
  'payment',
  'card_brand',
  'payoff',
  'connect',
  'credit_score',
  'identity',
  'attribute',
  'vehicle',
  'sensitive',
  'transaction',
  'payment_instrument',
] as const

/** All that a team can be given: the last is for those that hold credit reports themselves. */
export const teamProducts = [...usualProducts, 'manual_connect'] as const

export function defaultSettings(name: string): TeamSettings {
  return {
    default_source_account: null,
    payment_description: name.slice(0, 10),
    allowed_origins: [],
    brand: { name, logo: null, primary_color: null, support_url: null, privacy_url: null },
    appearance: 'system',
    products: [...usualProducts],
    identity_methods: ['element', 'opal', 'kba', 'sna', 'sms', 'byo_sms'],
    forwarding_allow_list: [],
    webhook_schedule: 'standard',
    ach_destinations: false,
    limits: { payment_amount_max: null, payments_per_month: null },
    phone_proof_days: 30,
    default_encryption_key: null,
  }
}

export function showTeam(team: Team): Record<string, unknown> {
  return {
    id: team.id,
    parent_id: team.parentId,
    name: team.name,
    version: team.version,
    ...team.settings,
    created_at: new Date(team.createdAt).toISOString(),
    updated_at: new Date(team.updatedAt).toISOString(),
  }
}

import { ALL_INSTRUMENTS, defaultProducts } from '@causeway/contract/fields/names'
import { MAX_DESCRIPTION_LENGTH } from '@causeway/contract/money'
import type { Team, TeamSettings } from '../../platform/team.js'
import type { TeamDetails } from './details.js'

/** The default daily limit on reads of SSNs and full account numbers. */
export const DEFAULT_SENSITIVE_READS = 1_000

/** Expands the shared name of all payment instruments into the names of the individual instruments. */
export const expandProductNames = (names: readonly string[]): string[] => [
  ...new Set(
    names.flatMap(name =>
      name === ALL_INSTRUMENTS ? defaultProducts.filter(each => each.startsWith(`${name}.`)) : [name],
    ),
  ),
]

/** Returns the default description of a team's payments: the beginning of its name, in the characters of an ACH file. */
function descriptionOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^ -~]/g, '')
    .trim()
    .slice(0, MAX_DESCRIPTION_LENGTH)
    .trim()
  return /[A-Za-z\d]/.test(plain) ? plain : 'Payment'
}

export function defaultSettings(name: string): TeamSettings {
  return {
    default_source_account: null,
    payment_description: descriptionOf(name),
    allowed_origins: [],
    brand: { name, logo: null, primary_color: null, support_url: null, privacy_url: null },
    appearance: 'system',
    products: [...defaultProducts],
    identity_methods: ['element', 'opal', 'kba', 'sna', 'sms', 'byo_sms'],
    forwarding_allow_list: [],
    webhook_schedule: 'standard',
    ach_destinations: false,
    limits: { payment_amount_max: null, payments_per_month: null, sensitive_reads_per_day: DEFAULT_SENSITIVE_READS },
    require_encryption: false,
    phone_proof_days: 30,
    account_sharing: null,
    default_encryption_key: null,
  }
}

export function showTeam(team: Team, details: TeamDetails = {}): Record<string, unknown> {
  return {
    id: team.id,
    parent_id: team.parentId,
    name: team.name,
    legal_name: details.legal_name ?? team.name,
    ein: details.ein ?? null,
    contacts: details.contacts ?? [],
    address: details.address ?? null,
    status: 'active',
    logo: team.settings.brand.logo,
    version: team.version,
    api_version: team.version,
    ...team.settings,
    created_at: new Date(team.createdAt).toISOString(),
    updated_at: new Date(team.updatedAt).toISOString(),
  }
}

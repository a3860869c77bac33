import type { Tables } from '../../platform/db/tables.js'
import type { Team } from '../../platform/team.js'

export type AccountRow = Tables['accounts']

/** True if a payment can reach the account now, or come from it. Pure. */
export function isPayable(team: Team, row: AccountRow): boolean {
  if (row.status !== 'active' || !team.settings.products.includes('payment')) return false
  return row.type === 'ach' ? row.verified_at !== null : row.payable === 'yes'
}

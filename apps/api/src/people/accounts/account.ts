import type { Tables } from '../../platform/db/tables.js'
import type { Team } from '../../platform/team.js'

export type AccountRow = Tables['accounts']

/** Returns true if the account can pay or be paid now. Pure. */
export function isPayable(team: Team, row: AccountRow): boolean {
  if (row.status !== 'active' || !team.settings.products.includes('payment')) return false
  return row.type === 'ach' ? row.verified_at !== null : row.payable === 'yes'
}

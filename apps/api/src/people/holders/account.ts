import type { Tables } from '../../platform/db/tables.js'
import type { Team } from '../../platform/team.js'

export type AccountRow = Tables['accounts']

/** The columns that payments read. A payment reads its accounts several times, and the rows have many other columns. */
export const payingColumns = [
  'accounts.id',
  'accounts.holder_id',
  'accounts.ach_type',
  'accounts.type',
  'accounts.status',
  'accounts.routing',
  'accounts.number',
  'accounts.mch_id',
  'accounts.reference',
  'accounts.payable',
  'accounts.verified_at',
  'accounts.error',
] as const
type Unqualified<Column> = Column extends `accounts.${infer Name}` ? Name : never
/** An account as payments read it. */
export type PayingAccount = Pick<AccountRow, Unqualified<(typeof payingColumns)[number]>>

/** Returns true if the account can pay or be paid now. Pure. */
export function isPayable(team: Team, row: Pick<AccountRow, 'status' | 'type' | 'verified_at' | 'payable'>): boolean {
  if (row.status !== 'active' || !team.settings.products.includes('payment')) return false
  return row.type === 'ach' ? row.verified_at !== null : row.payable === 'yes'
}

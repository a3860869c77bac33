import type { Tables } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'
import { isAgreed } from './consent-rules.js'

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
  'accounts.details',
  'accounts.mch_id',
  'accounts.reference',
  'accounts.payable',
  'accounts.verified_at',
  'accounts.error',
  'accounts.agreed',
] as const
type Unqualified<Column> = Column extends `accounts.${infer Name}` ? Name : never
/** Returns true if the team can see an account. Pure. */
export const isShared = ({ awaits_consent }: Pick<AccountRow, 'awaits_consent'>): boolean => awaits_consent === null

/** An account as payments read it. */
export type PayingAccount = Pick<AccountRow, Unqualified<(typeof payingColumns)[number]>>

type PayableColumns = Pick<AccountRow, 'status' | 'type' | 'verified_at' | 'payable'>

/** Returns true if the account's own state allows it to pay or be paid. Pure. */
export const canPay = (row: PayableColumns): boolean =>
  row.status === 'active' && (row.type === 'ach' ? row.verified_at !== null : row.payable === 'yes')

/** Returns true if the account could pay or be paid now, with its holder's agreement. */
export const hasRail = ({ team, deps }: Pick<Scope, 'team' | 'deps'>, row: PayableColumns): boolean =>
  canPay(row) &&
  team.settings.products.includes('payment') &&
  deps.capabilities.missing('account_product', 'payment') === null

/** Returns true if the account can pay or be paid now. */
export const isPayable = (
  scope: Pick<Scope, 'team' | 'deps'>,
  row: PayableColumns & Pick<AccountRow, 'agreed'>,
): boolean => hasRail(scope, row) && isAgreed(row, 'payment')

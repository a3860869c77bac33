import type { CardDetails } from '@causeway/connector/ports/account-data'
import { jsonColumn } from '../../platform/db/json-column.js'
import { type Scope, sealer } from '../../platform/scope.js'
import type { AccountRow } from './account.js'

/** An account's sealed details, other than its number. The details never include a card's verification value. */
export interface AccountDetails {
  card: CardDetails | null
  /** The address of the mortgaged property. */
  address: { street: string | null; city: string | null; state: string | null; zip: string | null } | null
}

const accountDetails = jsonColumn<AccountDetails>('accounts.details')

export const blankCard: CardDetails = { exp_month: null, exp_year: null, billing_zip_code: null }

export function sealAccountDetails(scope: Scope, id: string, details: AccountDetails): string {
  return sealer(scope).seal({ id, field: 'details' }, accountDetails.write(details))
}

export function readAccountDetails(scope: Scope, row: Pick<AccountRow, 'id' | 'details'>): AccountDetails {
  if (row.details === null) return { card: null, address: null }
  return accountDetails.read(sealer(scope).open({ id: row.id, field: 'details' }, row.details))
}

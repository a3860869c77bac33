/** The payee directory as operators see it, with masked account numbers. */
import type { Vault } from '../../platform/crypto/vault.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Store } from '../../platform/db/types.js'
import type { PayeeDetails } from './payee.js'
import { openDetails } from './store.js'

export interface DirectoryEntry extends Omit<Tables['payees'], 'data_key' | 'details'> {
  details: PayeeDetails
}

/** Replaces an account number by its last four digits. */
const maskDetails = (details: PayeeDetails): PayeeDetails =>
  details.route === 'ach' && details.account !== 'number'
    ? { ...details, account: maskNumber(details.account) }
    : details

/** Masks a number, and hides a short one entirely. */
export const maskNumber = (number: string): string => `••${number.length > 4 ? number.slice(-4) : ''}`

/** Opens a payee's details and masks its account number. */
export function showEntry(vault: Vault, row: Tables['payees']): DirectoryEntry {
  const { data_key: _, details: __, ...entry } = row
  return { ...entry, details: maskDetails(openDetails(vault, row)) }
}

/**
 * Reads payees, latest first.
 * @param before the last payee of the previous page
 */
export async function listPayees(
  { store, vault }: { store: Store; vault: Vault },
  status: 'proposed' | 'active',
  before: string | null,
  limit: number,
): Promise<DirectoryEntry[]> {
  const rows = await store.reader
    .selectFrom('payees')
    .selectAll()
    .where('status', '=', status)
    .$if(before !== null, query => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => showEntry(vault, row))
}

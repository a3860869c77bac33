import type { EntityRow } from '../entities/entity.js'
import type { Liability } from '../network/port.js'
import type { Scope } from '../scope.js'
import type { AccountRow } from './account.js'
import { tellNewAccount } from './change.js'
import { insertAccount } from './store.js'

/** Keeps the debts that were found and not known yet. @returns the new accounts: a later run finds only what is new since */
export async function connectAccounts(
  scope: Scope,
  entity: EntityRow,
  found: readonly Liability[],
): Promise<AccountRow[]> {
  const rows: AccountRow[] = []
  for (const liability of found) {
    const row = await insertAccount(
      scope,
      {
        holder_id: entity.id,
        type: 'liability',
        status: liability.status,
        mch_id: liability.mch_id,
        mask: liability.mask,
        ownership: liability.ownership,
        fingerprint: liability.fingerprint,
        liability_type: liability.type,
        sub_type: liability.sub_type,
        name: liability.name,
        reference: liability.reference,
        payable: liability.payable,
        supports: JSON.stringify(liability.supports),
      },
      liability.number,
      liability.card,
    )
    if (!row) continue
    rows.push(row)
    await tellNewAccount(scope, row)
  }
  return rows
}

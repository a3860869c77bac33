import type { EntityRow } from '../entities/entity.js'
import { emit } from '../events/store.js'
import type { Liability } from '../network/port.js'
import type { AccountProduct } from '../products/product.js'
import { productOf } from '../products/registry.js'
import { createRecord } from '../products/store.js'
import type { Scope } from '../scope.js'
import type { AccountRow } from './account.js'
import { showAccount } from './show.js'
import { insertAccount } from './store.js'

/**
 * Keeps the debts that were found and not known yet, each with its first updates and the products asked for.
 * @returns ids of the new accounts; a later run finds only what is new since
 */
export async function connectAccounts(
  scope: Scope,
  entity: EntityRow,
  found: readonly Liability[],
  wanted: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
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
    )
    if (!row) continue
    ids.push(row.id)
    await emit(scope, 'account.create', showAccount(scope, row, {}))
    await firstRecords(scope, row, wanted)
  }
  return ids
}

async function firstRecords(scope: Scope, row: AccountRow, wanted: readonly string[]): Promise<void> {
  if (row.status !== 'active') return
  const supports = new Set(JSON.parse(row.supports) as string[])
  const make = (name: string, request: Record<string, unknown> = {}) =>
    createRecord(scope, productOf(name) as AccountProduct, row, request)
  await make('update', { source: 'snapshot' })
  if (supports.has('update')) await make('update', { source: 'direct' })
  if (wanted.includes('balance') && supports.has('balance')) await make('balance')
}

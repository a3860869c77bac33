import type { Liability } from '@causeway/connector/ports/liability'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Scope } from '../../platform/scope.js'
import type { AccountRow } from '../holders/account.js'
import type { EntityRow } from '../holders/entity.js'
import { emitNewAccount, updateAccount } from './change.js'
import { insertAccount } from './store.js'

/**
 * Stores newly discovered debts.
 * @param unshared the connect that found the debts, if their holder has not yet agreed to share them; in that case, the
 * new accounts emit no events. `pending`: the team learns that they await consent. `hidden`: it does not
 * @param limit the products that the customer can use for the new accounts. By default, those of the entity
 * @returns the new accounts
 */
export async function connectAccounts(
  scope: Scope,
  entity: EntityRow,
  liabilities: readonly Liability[],
  unshared: { state: 'pending' | 'hidden'; connect: string } | null = null,
  limit: Pick<EntityRow, 'agreed'> = entity,
): Promise<AccountRow[]> {
  const rows: AccountRow[] = []
  const disconnected = await findDisconnected(scope, entity.id, liabilities)
  for (const liability of liabilities) {
    const known = disconnected.get(liability.fingerprint ?? '')
    if (known) {
      // mutant: account-is-linked-again (remove)
      await reconnect(scope, known, liability)
      continue
    }
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
        awaits_consent: unshared?.connect ?? null,
        hidden_at: unshared?.state === 'hidden' ? scope.now : null,
        agreed: limit.agreed,
      },
      liability.number,
      liability.card,
    )
    if (!row) continue
    rows.push(row)
    if (unshared === null) await emitNewAccount(scope, row)
  }
  return rows
}

/** Finds a holder's accounts whose institution was disconnected, by fingerprint. */
async function findDisconnected(
  scope: Scope,
  holder: string,
  liabilities: readonly Liability[],
): Promise<Map<string, AccountRow>> {
  const fingerprints = liabilities.flatMap(({ fingerprint }) => fingerprint ?? [])
  if (fingerprints.length === 0) return new Map()
  const query = scope.db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder)
    .where('reference', 'is', null)
    .where('fingerprint', 'in', fingerprints)
    .orderBy('id')
  return new Map((await lockRows(scope.db, query).execute()).map(row => [row.fingerprint!, row]))
}

/** Makes an account readable again, because the person has linked its institution again. */
const reconnect = (scope: Scope, account: AccountRow, { reference, supports, status }: Liability) =>
  updateAccount(scope, account, { reference, supports: JSON.stringify(supports), status })

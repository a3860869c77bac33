import { emit } from '../../notify/emit.js'
import { type Scope, sealer } from '../../platform/scope.js'
import type { AccountRow } from '../holders/account.js'
import { readNumber, showAccount } from '../holders/show-account.js'
import { findLatestIds } from '../records/store.js'
import { updateAccount } from './change.js'

/** Returns the hash by which an ach account's number is found. */
export const hashAchNumber = ({ deps, team }: Scope, routing: string, number: string): string =>
  deps.vault.hash('ach', `${team.id} ${routing} ${number}`)

/** Returns the columns to write for a full account number. */
export function numberColumns(scope: Scope, row: AccountRow, number: string): Partial<AccountRow> {
  return {
    number: sealer(scope).seal({ id: row.id, field: 'number' }, number),
    mask: number.slice(-4),
    payable: row.payable === 'needs_number' ? 'yes' : row.payable,
  }
}

/**
 * Emits the event for a changed account number.
 * @returns the account in its API format
 */
export async function emitNumberUpdate(scope: Scope, before: AccountRow, after: AccountRow) {
  const latest = (await findLatestIds(scope, [after.id])).get(after.id) ?? {}
  const shown = showAccount(scope, after, latest)
  await emit(scope, 'account.number.update', shown, showAccount(scope, before, latest))
  return shown
}

/** Stores the number that an institution reported for an account. Does nothing if the number is null or unchanged. */
export async function updateNumber(scope: Scope, row: AccountRow, number: string | null): Promise<AccountRow> {
  if (number === null || number === readNumber(scope, row)) return row
  const after = await updateAccount(scope, row, numberColumns(scope, row, number))
  await emitNumberUpdate(scope, row, after)
  return after
}

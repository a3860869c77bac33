import type { RailCorrection } from '@causeway/connector/ports/rail'
import { achNumberPattern, isRouting } from '@causeway/contract/values/routing'
import type { Scope } from '../../platform/scope.js'
import { updateAccount } from '../accounts/change.js'
import { emitNumberUpdate, hashAchNumber, numberColumns } from '../accounts/renumber.js'
import { readNumber } from '../holders/show-account.js'
import { lockAccount } from '../holders/store.js'

/**
 * Stores the details of an ach account as its bank corrected them.
 * @returns false if there are no details, or if the account can't have them
 */
export async function correctAccount(scope: Scope, id: string, corrected: RailCorrection): Promise<boolean> {
  const before = await lockAccount(scope, id)
  // A disabled account keeps its number, so that its holder can still add an account with the corrected number.
  if (before?.type !== 'ach' || before.status === 'disabled' || before.status === 'closed') return false
  const oldNumber = readNumber(scope, before)
  if (!oldNumber || Object.keys(corrected).length === 0) return false
  const { routing = before.routing!, number = oldNumber, account_type: type = before.ach_type } = corrected
  // mutant: corrections-are-checked (false)
  if (!isRouting(routing) || !achNumberPattern.test(number) || type === 'loan') return false
  const isRenumbered = routing !== before.routing || number !== oldNumber
  if (!isRenumbered && type === before.ach_type) return true
  const after = await updateAccount(scope, before, {
    ...numberColumns(scope, before, number),
    number_hash: hashAchNumber(scope, routing, number),
    routing,
    ach_type: type,
  })
  if (isRenumbered) await emitNumberUpdate(scope, before, after)
  return true
}

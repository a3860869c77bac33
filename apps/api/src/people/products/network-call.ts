import type { PortCall } from '@causeway/connector/ports/call'
import { createPortCall } from '../../network/ports.js'
import type { Scope } from '../../platform/scope.js'
import type { AccountRow } from '../holders/account.js'
import type { RecordRow } from '../holders/product.js'

/**
 * Returns the fields of a network call that requests a record's data: the common fields and the account's reference.
 */
export function networkCall(scope: Scope, account: AccountRow, record: RecordRow): PortCall & { account: string } {
  return { ...createPortCall(scope, record.id), account: account.reference ?? '' }
}

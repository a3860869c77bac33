import { type Call, callAbout } from '../../network/ports.js'
import type { Scope } from '../../platform/scope.js'
import type { AccountRow } from '../accounts/account.js'
import type { RecordRow } from './product.js'

/** Builds the account details to send to the network with a request for a record's data. */
export function about(scope: Scope, account: AccountRow, record: RecordRow): Call & { account: string } {
  return { ...callAbout(scope, record.id), account: account.reference ?? '' }
}

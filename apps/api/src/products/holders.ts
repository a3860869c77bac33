import { ServiceError } from '@causeway/contract/errors'
import type { AccountRow } from '../accounts/account.js'
import { findAccount } from '../accounts/store.js'
import type { EntityRow } from '../entities/entity.js'
import { findEntity } from '../entities/store.js'
import type { Scope } from '../scope.js'

/** The team's entity of that id. Throws NOT_FOUND, for another team's too. */
export async function entityById(scope: Scope, id: string | undefined): Promise<EntityRow> {
  const row = await findEntity(scope, id ?? '')
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

/** The team's account of that id. Throws NOT_FOUND, for another team's too. */
export async function accountById(scope: Scope, id: string | undefined): Promise<AccountRow> {
  const row = await findAccount(scope, id ?? '')
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

import { type ResourceErrorCode, resourceError } from '@causeway/contract/errors'
import { updateAccount } from '../accounts/change.js'
import { lockAccount } from '../accounts/store.js'
import { lockEntity, updateEntity } from '../entities/store.js'
import type { Scope } from '../scope.js'
import { consequence } from './payment.js'
import type { PaymentRow } from './show.js'

/** Disables the account that a failure speaks against, and its holder where the payment was not authorized. */
export async function applyConsequence(scope: Scope, payment: PaymentRow, code: ResourceErrorCode): Promise<void> {
  const found = consequence(code)
  const id = found && payment[found.side]
  if (!id) return
  await disableAccount(scope, id, found.account)
  const holderId = payment[`${found.side}_holder_id`]
  const holder = found.holder !== null && holderId !== null ? await lockEntity(scope, holderId) : undefined
  if (holder && holder.status !== 'disabled')
    await updateEntity(scope, holder, { status: 'disabled', error: JSON.stringify(resourceError(found.holder!)) })
}

async function disableAccount(scope: Scope, id: string, code: ResourceErrorCode): Promise<void> {
  const before = await lockAccount(scope, id)
  if (!before || before.status === 'disabled' || before.status === 'closed') return
  await updateAccount(scope, before, { status: 'disabled', error: JSON.stringify(resourceError(code)) })
}

import { type ResourceErrorCode, resourceError } from '@causeway/contract/errors'
import { stopAccount } from '../accounts/close.js'
import { lockAccount } from '../accounts/store.js'
import { disableEntity } from '../entities/disable.js'
import { lockEntity } from '../entities/store.js'
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
  if (holder && holder.status !== 'disabled') await disableEntity(scope, holder, found.holder!)
}

async function disableAccount(scope: Scope, id: string, code: ResourceErrorCode): Promise<void> {
  const before = await lockAccount(scope, id)
  if (!before || before.status === 'disabled' || before.status === 'closed') return
  await stopAccount(scope, before, { status: 'disabled', error: JSON.stringify(resourceError(code)) })
}

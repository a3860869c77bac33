import { type ResourceErrorCode, resourceError } from '@causeway/contract/errors'
import { stopAccount } from '../accounts/close.js'
import { lockAccount } from '../accounts/store.js'
import { disableEntity } from '../entities/disable.js'
import { lockEntity } from '../entities/store.js'
import type { Scope } from '../scope.js'
import { consequence } from './payment.js'
import type { PaymentRow } from './show.js'

/** Disables the account that a failure speaks against, at once or after several, and its holder where the payment was not authorized. */
export async function applyConsequence(scope: Scope, payment: PaymentRow, code: ResourceErrorCode): Promise<void> {
  const found = consequence(code)
  const id = found && payment[found.side]
  if (!id || (found.after !== undefined && (await failures(scope, id, code)) < found.after)) return
  await disableAccount(scope, id, found.account)
  const holderId = payment[`${found.side}_holder_id`]
  const holder = found.holder !== null && holderId !== null ? await lockEntity(scope, holderId) : undefined
  if (holder && holder.status !== 'disabled') await disableEntity(scope, holder, found.holder!)
}

/** How many payments from or to an account failed for one reason. */
async function failures(scope: Scope, account: string, code: ResourceErrorCode): Promise<number> {
  const { count } = await scope.db
    .selectFrom('payments')
    .select(query => query.fn.countAll<number>().as('count'))
    .where('team_id', '=', scope.team.id)
    .where(end => end.or([end('source', '=', account), end('destination', '=', account)]))
    .where('error', 'like', `%"code":${code},%`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function disableAccount(scope: Scope, id: string, code: ResourceErrorCode): Promise<void> {
  const before = await lockAccount(scope, id)
  if (!before || before.status === 'disabled' || before.status === 'closed') return
  await stopAccount(scope, before, { status: 'disabled', error: JSON.stringify(resourceError(code)) })
}

import { type ResourceErrorCode, resourceError } from '@causeway/contract/errors'
import { lockAccount, lockEntity } from '../../people/holders/store.js'

import { stopAccount } from '../../people/lifecycle/close-account.js'
import { disableEntity } from '../../people/lifecycle/disable-entity.js'
import { isError, writeJson } from '../../platform/db/json.js'
import type { Scope } from '../../platform/scope.js'
import { failureConsequence } from '../payments/payment.js'
import type { PaymentRow } from '../payments/show.js'

/**
 * Disables the account responsible for a failure, either immediately or after several failures. If the payment was not
 * authorized, disables the holder too. A simulated failure disables the account but not the holder.
 */
export async function applyConsequence(
  scope: Scope,
  payment: PaymentRow,
  code: ResourceErrorCode,
  simulated: boolean,
): Promise<void> {
  const effect = failureConsequence(code)
  const id = effect && payment[effect.side]
  if (!id || (effect.after !== undefined && (await countFailures(scope, id, code)) < effect.after)) return
  await disableAccount(scope, id, effect.account)
  if (simulated) return
  const holderId = payment[`${effect.side}_holder_id`]
  const holder = effect.holder !== null && holderId !== null ? await lockEntity(scope, holderId) : undefined
  if (holder && holder.status !== 'disabled') await disableEntity(scope, holder, effect.holder!)
}

/** Counts the account's payments that failed with this code. */
async function countFailures(scope: Scope, account: string, code: ResourceErrorCode): Promise<number> {
  const at = (end: 'source' | 'destination') =>
    scope.db
      .selectFrom('payments')
      .select('id')
      .where('team_id', '=', scope.team.id)
      .where(end, '=', account)
      // Matches the partial index for this side of the payment: source or destination.
      .where('error', 'is not', null)
      .where(isError(scope.deps.store.engine, code))
  const { count } = await scope.db
    .selectFrom(at('source').union(at('destination')).as('failed'))
    .select(query => query.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function disableAccount(scope: Scope, id: string, code: ResourceErrorCode): Promise<void> {
  const before = await lockAccount(scope, id)
  if (!before || before.status === 'disabled' || before.status === 'closed') return
  await stopAccount(scope, before, { status: 'disabled', error: writeJson(resourceError(code)) })
}

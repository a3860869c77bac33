import { type ResourceErrorCode, resourceCodes, resourceError } from '@causeway/contract/errors'
import { writeJson } from '../../platform/db/json.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Scope } from '../../platform/scope.js'
import { updateEntity } from '../entities/store.js'
import type { EntityRow } from '../holders/entity.js'
import { lockEntity } from '../holders/store.js'
import { activeSubscriptions, unenroll } from '../subscriptions/store.js'
import { stopAccount } from './close-account.js'

/** Disables an entity and its accounts, which are then no longer monitored or paid. The entity's row must be locked. */
export async function disableEntity(scope: Scope, before: EntityRow, code: ResourceErrorCode): Promise<void> {
  if (before.status === 'disabled') return
  await updateEntity(scope, before, { status: 'disabled', error: writeJson(resourceError(code)) })
  for (const row of await activeSubscriptions(scope, before.id))
    await unenroll(scope, (await lockEntity(scope, before.id))!, row)
  const accounts = scope.db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', before.id)
    .orderBy('id')
  for (const account of await lockRows(scope.db, accounts).execute())
    if (account.status === 'active' || account.status === 'processing')
      await stopAccount(scope, account, {
        status: 'disabled',
        error: writeJson(resourceError(resourceCodes.ACCOUNT_DISABLED_HOLDER_ENTITY_DISABLED)),
      })
}

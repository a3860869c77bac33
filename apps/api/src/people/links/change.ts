/** Stores what a person has linked, with the effects on the accounts of institutions that were disconnected. */
import { emit } from '../../notify/emit.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Scope } from '../../platform/scope.js'
import { updateAccount } from '../accounts/change.js'
import { showEntities } from '../entities/store.js'
import { findEntity, lockAnyAccount } from '../holders/store.js'
import { endSubscriptions } from '../subscriptions/store.js'
import { type Links, saveLinks } from './store.js'

/** Stores what a person has linked. If an institution was disconnected or broke, emits one event for each of both. */
export async function changeLinks(scope: Scope, entity: string, before: Links, after: Links): Promise<void> {
  await saveLinks(scope, entity, after)
  const isBroken = ({ institutions }: Links, id: string) =>
    institutions.some(each => each.id === id && each.status === 'repair')
  const ended = before.institutions.filter(({ id }) => !after.institutions.some(each => each.id === id))
  await endUpdates(
    scope,
    entity,
    ended.flatMap(({ accounts }) => accounts),
  )
  if (ended.length > 0) await emitChange(scope, entity, 'entity.institution_disconnected')
  if (after.institutions.some(({ id }) => isBroken(after, id) && !isBroken(before, id)))
    await emitChange(scope, entity, 'entity.institution_repair_required')
}

async function emitChange(
  scope: Scope,
  id: string,
  type: 'entity.institution_disconnected' | 'entity.institution_repair_required',
): Promise<void> {
  const entity = await findEntity(scope, id)
  const [shown] = entity ? await showEntities(scope, [entity]) : []
  if (shown) await emit(scope, type, shown)
}

/**
 * Ends the updates of accounts whose institution is disconnected. The customer keeps the data that it has, because the
 * person still shares the accounts. An account that the person links again gets its new reference then.
 * @param references the network's references of the accounts
 */
export async function endUpdates(scope: Scope, holder: string, references: readonly string[]): Promise<void> {
  if (references.length === 0) return
  const query = scope.db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder)
    .where('reference', 'in', references)
    .orderBy('id')
  for (const { id } of await lockRows(scope.db, query).execute()) {
    await endSubscriptions(scope, id)
    // mutant: disconnected-account-has-no-updates (remove)
    await updateAccount(scope, (await lockAnyAccount(scope, id))!, {
      reference: null,
      supports: '[]',
      subscribed: '[]',
    })
  }
}

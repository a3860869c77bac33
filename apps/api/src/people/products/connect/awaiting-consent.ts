import { emit } from '../../../notify/emit.js'
import type { Scope } from '../../../platform/scope.js'
import { showEntities } from '../../entities/store.js'
import type { EntityRow } from '../../holders/entity.js'
import type { FeedChange, Holder } from '../../holders/product.js'

/**
 * Returns true if accounts found later must wait for the holder's consent. Consent is required if the person chose
 * accounts in an element and did not agree there to share future accounts. Pure.
 */
export const needsConsent = (entity: EntityRow): boolean =>
  entity.element_connect_at !== null && entity.future_accounts_at === null

/** Emits an event if these connect requests found any account that is awaiting its holder's consent. */
export async function emitPendingConsent(scope: Scope, entity: EntityRow, connects: readonly string[]): Promise<void> {
  if (connects.length === 0) return
  const pending = await scope.db
    .selectFrom('accounts')
    .select('id')
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', entity.id)
    .where('awaits_consent', 'in', connects)
    .where('hidden_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  const [shown] = pending ? await showEntities(scope, [entity]) : []
  if (shown) await emit(scope, 'entity.new_accounts_pending_consent', shown)
}

/** Adds a last step to a poll's results. The step emits one event for all accounts that are awaiting consent. */
export function emitPendingConsentOnce(changes: readonly FeedChange<Holder>[]): FeedChange<EntityRow>[] {
  const last = changes.at(-1)
  if (!last) return []
  const storedIds: string[] = []
  const steps = changes.map(
    (one): FeedChange<EntityRow> => ({
      at: one.at,
      async store(scope, entity, subscription) {
        const id = await one.store(scope, entity, subscription)
        if (id !== null) storedIds.push(id)
        return id
      },
    }),
  )
  return [
    ...steps,
    {
      at: last.at,
      async store(scope, entity) {
        await emitPendingConsent(scope, entity, storedIds)
        return null
      },
    },
  ]
}

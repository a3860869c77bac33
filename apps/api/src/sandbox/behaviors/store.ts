import type { SimulatedTransaction } from '@causeway/connector/ports/rail'
import type { Behaviour, SandboxChanges } from '../../people/deps.js'
import { createId } from '../../platform/crypto/random.js'
import type { Scope } from '../../platform/scope.js'

/** Returns an entity's simulated events that haven't happened yet, in the order in which they were requested. */
export async function openBehaviours(
  scope: Scope,
  entity: string,
  kind: 'connect' | 'attribute',
): Promise<Behaviour[]> {
  return scope.db
    .selectFrom('behaviours')
    .select(['id', 'name'])
    .where('team_id', '=', scope.team.id)
    .where('entity_id', '=', entity)
    .where('kind', '=', kind)
    .where('consumed_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Queues simulated events for an entity, in the given order. */
export async function queueBehaviours(
  scope: Scope,
  entity: string,
  kind: 'connect' | 'attribute',
  names: readonly string[],
): Promise<void> {
  const rows = names.map(name => ({
    id: createId('behaviour', scope.now),
    team_id: scope.team.id,
    entity_id: entity,
    kind,
    name,
    created_at: scope.now,
    consumed_at: null,
  }))
  await scope.db.insertInto('behaviours').values(rows).execute()
}

/** Records that simulated events have happened. */
async function consume(scope: Scope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await scope.db
    .updateTable('behaviours')
    .set({ consumed_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', ids)
    .execute()
}

/** Returns the number of soft inquiries requested for an entity in the sandbox. */
async function softInquiries(scope: Scope, entity: string): Promise<number> {
  const { count } = await scope.db
    .selectFrom('behaviours')
    .select(query => query.fn.countAll<number>().as('count'))
    .where('team_id', '=', scope.team.id)
    .where('entity_id', '=', entity)
    .where('kind', '=', 'attribute')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the transactions that the team added to its managed account. */
async function transactions(scope: Scope): Promise<{ simulated?: SimulatedTransaction[] }> {
  if (scope.deps.environment !== 'sandbox') return {}
  const rows = await scope.db
    .selectFrom('simulated_transactions')
    .select(['id', 'amount', 'created_at as at'])
    .where('team_id', '=', scope.team.id)
    .orderBy('id')
    .execute()
  return rows.length === 0 ? {} : { simulated: rows }
}

export const behaviours: SandboxChanges = { open: openBehaviours, consume, softInquiries, transactions }

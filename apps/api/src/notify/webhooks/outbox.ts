import { aliasesOf, eventTypeOf } from '@causeway/contract/events'
import { versions } from '@causeway/contract/versions'
import { createId } from '../../platform/crypto/random.js'
import { compiled } from '../../platform/db/compiled-query.js'
import { type Scope, together, writeSlices } from '../../platform/scope.js'
import { typeAt } from '../events/show.js'
import { versionOf } from './show.js'

const jobKey = (delivery: string): string => `delivery ${delivery}`

/**
 * Queues a webhook's deliveries. Deliveries that are already waiting become due immediately. The caller must have
 * inserted the deliveries' rows in the same transaction.
 */
export async function send(scope: Scope, deliveries: readonly string[], lane: string): Promise<void> {
  if (deliveries.length === 0) return
  await scope.db
    .updateTable('jobs')
    .set({ run_at: scope.deps.clock(), state: 'ready', attempts: 0, failures: 0, takeovers: 0 })
    .where('team_id', '=', scope.team.id)
    .where('unique_key', 'in', deliveries.map(jobKey))
    .where('lease_owner', 'is', null)
    .execute()
  for (const delivery of deliveries) await enqueue(scope, delivery, lane)
}

const enqueue = (scope: Scope, delivery: string, lane: string) =>
  scope.deps.jobs.enqueue(scope, {
    kind: 'webhook.deliver',
    payload: { delivery },
    unique: jobKey(delivery),
    lane,
  })

/** Creates a delivery that has no attempts yet. */
export function newDelivery(scope: Scope, webhook: string, event: { id: string; created_at: number }) {
  return {
    id: createId('delivery', scope.now),
    team_id: scope.team.id,
    webhook_id: webhook,
    event_id: event.id,
    event_at: event.created_at,
    status: 'pending' as const,
    attempts: 0,
    response_status: null,
    fault: null,
    next_at: scope.now,
    attempted_at: null,
    finished_at: null,
    request_id: scope.deps.requestId ?? null,
    created_at: scope.now,
    updated_at: scope.now,
  }
}

const hooksOf = compiled((db, { team, types }: { team: string; types: string[] }) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'lane', 'type', 'api_version'])
    .where('team_id', '=', team)
    .where('type', 'in', types)
    .where('status', 'in', ['active', 'requires_attention']),
)

const insertDeliveries = ({ db }: Scope, found: readonly { row: ReturnType<typeof newDelivery> }[]) =>
  db
    .insertInto('deliveries')
    .values(found.map(({ row }) => row))
    .execute()
    .then(() => {})

/**
 * Queues events for every webhook that subscribes to their type, including webhooks whose version has another name for
 * the type.
 */
export async function dispatch(
  scope: Scope,
  events: readonly { id: string; type: string; created_at: number; now: number }[],
): Promise<void> {
  const names = events.flatMap(({ type }) => [
    type,
    ...versions.map(version => typeAt(version, type)),
    ...aliasesOf(type),
  ])
  const hooks = await hooksOf.all(scope.db, { team: scope.team.id, types: [...new Set(names)] })
  const found = events.flatMap(event =>
    hooks
      .filter(hook => [event.type, typeAt(versionOf(scope, hook), event.type)].includes(eventTypeOf(hook.type)))
      .map(({ id, lane }) => ({ lane, row: newDelivery({ ...scope, now: event.now }, id, event), now: event.now })),
  )
  if (found.length === 0) return
  await writeSlices(scope, insertDeliveries, found)
  await together(scope, async scope => {
    for (const { row, lane, now } of found) await enqueue({ ...scope, now }, row.id, lane)
  })
}

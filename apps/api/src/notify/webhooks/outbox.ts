import { aliasesOf, eventTypeOf } from '@causeway/contract/events'
import { versions } from '@causeway/contract/versions'
import { createId } from '../../platform/crypto/random.js'
import { compiled } from '../../platform/db/compiled-query.js'
import { batchWrites, type Scope, writeSlices } from '../../platform/scope.js'
import { typeInVersion } from '../events/show.js'
import { versionOf } from './show.js'

const jobKey = (delivery: string): string => `delivery ${delivery}`

/**
 * Queues a webhook's deliveries. Deliveries that are already waiting become due immediately. The caller must have
 * inserted the deliveries' rows in the same transaction.
 */
export async function queueDeliveries(scope: Scope, deliveries: readonly string[], lane: string): Promise<void> {
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

const selectWebhooks = compiled((db, { team, types }: { team: string; types: string[] }) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'lane', 'type', 'api_version'])
    .where('team_id', '=', team)
    .where('type', 'in', types)
    .where('status', 'in', ['active', 'requires_attention']),
)

const insertDeliveries = ({ db }: Scope, deliveries: readonly { row: ReturnType<typeof newDelivery> }[]) =>
  db
    .insertInto('deliveries')
    .values(deliveries.map(({ row }) => row))
    .execute()
    .then(() => {})

/**
 * Queues events for every webhook that subscribes to their type, including webhooks whose version has another name for
 * the type.
 */
export async function queueEvents(
  scope: Scope,
  events: readonly { id: string; type: string; created_at: number; now: number }[],
): Promise<void> {
  const names = events.flatMap(({ type }) => [
    type,
    ...versions.map(version => typeInVersion(version, type)),
    ...aliasesOf(type),
  ])
  const webhooks = await selectWebhooks.all(scope.db, { team: scope.team.id, types: [...new Set(names)] })
  const deliveries = events.flatMap(event =>
    webhooks
      .filter(hook => [event.type, typeInVersion(versionOf(scope, hook), event.type)].includes(eventTypeOf(hook.type)))
      .map(({ id, lane }) => ({ lane, row: newDelivery({ ...scope, now: event.now }, id, event), now: event.now })),
  )
  if (deliveries.length === 0) return
  await writeSlices(scope, insertDeliveries, deliveries)
  await batchWrites(scope, async scope => {
    for (const { row, lane, now } of deliveries) await enqueue({ ...scope, now }, row.id, lane)
  })
}

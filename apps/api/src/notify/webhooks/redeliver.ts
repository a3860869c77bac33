import { ServiceError } from '@causeway/contract/errors'
import { eventTypeOf } from '@causeway/contract/events'
import { lowestId } from '../../platform/crypto/random.js'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { resetLane } from '../../platform/jobs/lanes.js'
import { findRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import { typesShownAs } from '../events/event.js'
import { typeInVersion } from '../events/show.js'
import { type DeliveryContext, type DeliveryRow, findDelivery } from './deliveries.js'
import { newDelivery, queueDeliveries } from './outbox.js'
import { versionOf, type WebhookRow } from './show.js'
import { isEnabled } from './webhook.js'

/** The number of events queued per transaction. */
const BATCH_SIZE = 200

function requireEnabled(webhook: WebhookRow): void {
  if (!isEnabled(webhook.status))
    throw new ServiceError('INVALID_STATUS', `The webhook ${webhook.id} is disabled. Set its status to active first.`)
}

const resetColumns = (scope: Scope) => ({
  status: 'pending' as const,
  attempts: 0,
  next_at: scope.now,
  finished_at: null,
  updated_at: scope.now,
})

/** Queues one delivery again, even if it succeeded before. Throws INVALID_STATUS. */
export async function resend(scope: Scope, { delivery, webhook }: DeliveryContext): Promise<DeliveryRow> {
  requireEnabled(webhook)
  // Locks the lane and then the delivery, in the same order as the code that ends an attempt.
  await resetLane(scope, webhook.lane)
  const row = await scope.db
    .updateTable('deliveries')
    .set(resetColumns(scope))
    .where('team_id', '=', scope.team.id)
    .where('id', '=', delivery.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await queueDeliveries(scope, [row.id], webhook.lane)
  return row
}

/** Returns the reason that a webhook's deliveries can't be sent, or null if they can. */
function reasonNotToSend({ status }: WebhookRow): 'webhook_disabled' | 'webhook_deleted' | null {
  if (isEnabled(status)) return null
  return status === 'deleted' ? 'webhook_deleted' : 'webhook_disabled'
}

/**
 * Queues several deliveries again, except those of webhooks that are disabled or deleted. Throws NOT_FOUND for an id that
 * is not a delivery of the team.
 * @param ids different ids
 * @returns each delivery, in the order of the ids
 */
export async function resendAll(scope: Scope, ids: readonly string[]) {
  const contexts = await Promise.all(
    ids.map(async id => {
      const context = await findDelivery(scope, id)
      if (!context) throw new ServiceError('NOT_FOUND', `No delivery of this team has the id ${id}.`)
      return context
    }),
  )
  // Requests that name the same deliveries in a different order lock the lanes and deliveries in the same order.
  const key = ({ webhook, delivery }: DeliveryContext) => `${webhook.lane} ${delivery.id}`
  for (const context of contexts.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)))
    if (reasonNotToSend(context.webhook) === null) await resend(scope, context)
  return contexts.map(({ delivery: { id }, webhook }) => {
    const reason = reasonNotToSend(webhook)
    return { id, queued: reason === null, reason }
  })
}

/** Selects a webhook's undelivered events from one id (exclusive) to another (inclusive). */
const undelivered = (scope: Scope, webhook: WebhookRow, after: string, until: string) =>
  scope.db
    .selectFrom('events')
    .leftJoin('deliveries', on =>
      on
        .onRef('deliveries.team_id', '=', 'events.team_id')
        .onRef('deliveries.event_id', '=', 'events.id')
        .on('deliveries.webhook_id', '=', webhook.id),
    )
    .where('events.team_id', '=', scope.team.id)
    .where(
      'events.type',
      'in',
      typesShownAs(eventTypeOf(webhook.type), type => typeInVersion(versionOf(scope, webhook), type)),
    )
    .where('events.id', '>', after)
    .where('events.id', '<=', until)
    .where(at => at.or([at('deliveries.id', 'is', null), at('deliveries.status', '!=', 'delivered')]))

/**
 * Queues everything that has not been delivered since a given time: failed and canceled deliveries, and events from
 * periods when the webhook was disabled. Throws INVALID_STATUS if the webhook is disabled, except in a dry run.
 * @param since team time
 * @param to team time, inclusive
 * @returns the number of deliveries
 */
export async function startRedelivery(
  scope: Scope,
  webhook: WebhookRow,
  since: number,
  to: number,
  dryRun: boolean,
): Promise<number> {
  if (!dryRun) requireEnabled(webhook)
  const after = lowestId('event', since)
  const until = lowestId('event', Math.min(scope.now, to) + 1)
  const { count } = await undelivered(scope, webhook, after, until)
    .select(from => from.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const queued = Number(count)
  if (dryRun) return queued
  await resetLane(scope, webhook.lane)
  if (queued > 0)
    await scope.deps.jobs.enqueue(scope, { kind: 'webhook.redeliver', payload: { webhook: webhook.id, after, until } })
  return queued
}

/** Queues one batch of redeliveries, and a job for the next batch. */
export const redeliver: JobHandler = {
  async run(_scope, payload) {
    const { webhook: id = '', after = '', until = '' } = payload
    return async tx => {
      const webhook = await findRow(tx, 'webhooks', id)
      if (!webhook || !isEnabled(webhook.status)) return undefined
      const rows = await undelivered(tx, webhook, after, until)
        .select(['events.id as event', 'events.created_at as at', 'deliveries.id as delivery'])
        .orderBy('events.id')
        .limit(BATCH_SIZE)
        .execute()
      const newRows = rows.flatMap(row =>
        row.delivery === null ? [newDelivery(tx, webhook.id, { id: row.event, created_at: row.at })] : [],
      )
      const existingIds = rows.flatMap(row => row.delivery ?? [])
      if (newRows.length > 0) await tx.db.insertInto('deliveries').values(newRows).execute()
      // Excludes deliveries that have succeeded since they were read.
      const requeued = await tx.db
        .updateTable('deliveries')
        .set(resetColumns(tx))
        .where('team_id', '=', tx.team.id)
        .where('id', 'in', existingIds.length > 0 ? existingIds : [''])
        .where('status', '!=', 'delivered')
        .returning('id')
        .execute()
      await queueDeliveries(
        tx,
        [...requeued, ...newRows].map(row => row.id),
        webhook.lane,
      )
      const last = rows.at(-1)
      if (last && rows.length === BATCH_SIZE)
        await tx.deps.jobs.enqueue(tx, {
          kind: 'webhook.redeliver',
          payload: { ...payload, after: last.event },
        })
      return undefined
    }
  },
}

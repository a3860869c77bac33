import type { Tables } from '../db/tables.js'
import type { EventRow } from '../events/show.js'
import type { Scope } from '../scope.js'
import { showTime } from '../show.js'
import { jobKey } from './outbox.js'
import type { WebhookRow } from './show.js'

export type DeliveryRow = Tables['deliveries']

/** A delivery, where it goes and what it tells of. */
export interface Going {
  delivery: DeliveryRow
  webhook: WebhookRow
  event: EventRow
  /** Attempts at its address that failed in a row. */
  failures: number
}

/** A delivery of the team, with its webhook and its event; undefined for an unknown one. */
export async function findDelivery(scope: Scope, id: string): Promise<Going | undefined> {
  const { db } = scope
  const delivery = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!delivery) return undefined
  const [webhook, event, job] = await Promise.all([
    db.selectFrom('webhooks').selectAll().where('id', '=', delivery.webhook_id).executeTakeFirstOrThrow(),
    db.selectFrom('events').selectAll().where('id', '=', delivery.event_id).executeTakeFirstOrThrow(),
    db
      .selectFrom('jobs')
      .innerJoin('lanes', 'lanes.lane', 'jobs.lane')
      .select('lanes.failures')
      .where('unique_key', '=', jobKey(id))
      .executeTakeFirst(),
  ])
  return { delivery, webhook, event, failures: job?.failures ?? 0 }
}

const time = (at: number | null) => (at === null ? null : showTime(at))

/** A delivery as it travels. @param type what it tells of, as its webhook names it */
export function showDelivery(row: DeliveryRow, type: string): Record<string, unknown> {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    type,
    status: row.status,
    attempts: row.attempts,
    response_status: row.response_status,
    failure: row.fault,
    next_attempt_at: time(row.next_at),
    attempted_at: time(row.attempted_at),
    finished_at: time(row.finished_at),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

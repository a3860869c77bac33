import type { Tables } from '../../platform/db/tables.js'
import { findRow } from '../../platform/rows.js'
import { type Scope, sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { EventRow } from '../events/show.js'
import type { WebhookRow } from './show.js'

export type DeliveryRow = Tables['deliveries']

type Lane = Pick<Tables['lanes'], 'failures' | 'paused_until'>

/** Returns a function that returns the health of the endpoint that one of these webhooks calls. */
async function findLanes({ db, team }: Scope, webhooks: readonly WebhookRow[]): Promise<(webhook: WebhookRow) => Lane> {
  const names = [...new Set(webhooks.map(({ lane }) => lane))]
  const query = db
    .selectFrom('lanes')
    .select(['lane', 'failures', 'paused_until'])
    .where('team_id', '=', team.id)
    .where('lane', 'in', names)
  const rows = names.length > 0 ? await query.execute() : []
  const byName = new Map(rows.map(row => [row.lane, row]))
  return ({ lane }) => byName.get(lane) ?? { failures: 0, paused_until: 0 }
}

/** Returns the health of the endpoint that a webhook calls. */
export const findLane = async (scope: Scope, webhook: WebhookRow): Promise<Lane> =>
  (await findLanes(scope, [webhook]))(webhook)

/** A delivery with its webhook, its event and its endpoint's state. */
export interface DeliveryContext {
  delivery: DeliveryRow
  webhook: WebhookRow
  event: EventRow
  /** The endpoint's health. */
  lane: Lane
}

/**
 * Returns one of the team's deliveries with its webhook and its event. Returns undefined if the delivery does not
 * exist.
 */
export async function findDelivery(scope: Scope, id: string): Promise<DeliveryContext | undefined> {
  const delivery = await findRow(scope, 'deliveries', id)
  if (!delivery) return undefined
  const [webhook, event] = await Promise.all([
    findRow(scope, 'webhooks', delivery.webhook_id),
    findRow(scope, 'events', delivery.event_id),
  ])
  return { delivery, webhook: webhook!, event: event!, lane: await findLane(scope, webhook!) }
}

type AttemptRow = Tables['delivery_attempts']

/** Stores a delivery's latest attempt. The delivery's row must already include the attempt. */
export async function insertAttempt(
  { db, now }: Scope,
  row: DeliveryRow,
  attempt: Pick<AttemptRow, 'ms' | 'outcome' | 'sent_at' | 'version' | 'excerpt'>,
): Promise<void> {
  await db
    .insertInto('delivery_attempts')
    .values({
      team_id: row.team_id,
      delivery_id: row.id,
      webhook_id: row.webhook_id,
      attempted_at: now,
      number: row.attempts,
      response_status: row.response_status,
      fault: row.fault,
      ...attempt,
    })
    .onConflict(conflict => conflict.columns(['team_id', 'delivery_id', 'attempted_at', 'number']).doNothing())
    .execute()
}

/** Returns a delivery's most recent attempts, latest first. */
export const listAttempts = ({ db, team }: Scope, { id }: DeliveryRow, limit = 100) =>
  db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('delivery_id', '=', id)
    .orderBy('attempted_at', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()

export const showAttempt = (scope: Scope, row: AttemptRow) => ({
  number: row.number,
  at: showTime(row.attempted_at),
  ms: row.ms,
  response_status: row.response_status,
  failure: row.fault,
  excerpt: row.excerpt === null ? null : sealer(scope).open({ id: row.delivery_id, field: 'excerpt' }, row.excerpt),
})

const time = (at: number | null) => (at === null ? null : showTime(at))

/** Returns the resource id for each delivery's event, keyed by event id. */
async function resourceIdsOf({ db, team }: Scope, rows: readonly DeliveryRow[]): Promise<Map<string, string>> {
  const events = await db
    .selectFrom('events')
    .select(['id', 'resource_id'])
    .where('team_id', '=', team.id)
    .where('id', 'in', rows.map(row => row.event_id).concat(''))
    .execute()
  return new Map(events.map(event => [event.id, event.resource_id]))
}

/**
 * Shows a delivery. The next attempt runs at its scheduled time or when the endpoint's pause ends, whichever is later.
 */
export function showDelivery(
  { team }: Scope,
  row: DeliveryRow,
  { webhook: { type }, lane, resource }: { webhook: WebhookRow; lane: Lane; resource: string },
) {
  const next = row.next_at === null ? null : Math.max(row.next_at, lane.paused_until + team.clockOffset)
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    type,
    resource_id: resource,
    status: row.status,
    attempts: row.attempts,
    response_status: row.response_status,
    failure: row.fault,
    next_attempt_at: time(next),
    attempted_at: time(row.attempted_at),
    finished_at: time(row.finished_at),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

/** Shows deliveries of these webhooks, in order. */
export async function showDeliveries(scope: Scope, rows: readonly DeliveryRow[], webhooks: readonly WebhookRow[]) {
  const [laneOf, resources] = await Promise.all([findLanes(scope, webhooks), resourceIdsOf(scope, rows)])
  const byId = new Map(webhooks.map(webhook => [webhook.id, webhook]))
  return rows.map(row => {
    const webhook = byId.get(row.webhook_id)!
    return showDelivery(scope, row, { webhook, lane: laneOf(webhook), resource: resources.get(row.event_id)! })
  })
}

import { emit } from '../../notify/emit.js'
import { createId } from '../../platform/crypto/random.js'
import { lockFreeRows } from '../../platform/db/row-locks.js'
import { findRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { updateAccount } from '../accounts/change.js'
import { updateEntity } from '../entities/store.js'
import type { AccountRow } from '../holders/account.js'
import type { EntityRow } from '../holders/entity.js'
import type { Body, Holder } from '../holders/product.js'
import { kindOf, requireAvailable, subscriptionAvailability, subscriptionNames } from '../holders/product-rules.js'
import { lockAccount, lockEntity } from '../holders/store.js'
import { type Enrolment, type SubscriptionRow, subscriptionPayload } from './subscription.js'

/** Returns a subscription in its GET format. */
export function showSubscription(row: SubscriptionRow): Body {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    payload: row.payload === null ? null : subscriptionPayload.read(row.payload),
    latest_request_id: row.latest_request_id,
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

const showSubscriptionEvent = (row: SubscriptionRow): Body => ({
  ...showSubscription(row),
  [`${kindOf(row.holder_id)}_id`]: row.holder_id,
})

/** Returns the key of the single job that polls for all of a holder's subscriptions. */
const jobKey = (holder: string): string => `subscription ${holder}`

/** Schedules the holder's job for the given time or earlier. The holder's row must be locked. */
async function scheduleNoLaterThan(scope: Scope, holder: string, at: number): Promise<void> {
  const { db, deps, team } = scope
  await deps.jobs.enqueue(scope, { kind: 'subscription.run', payload: { holder }, at, unique: jobKey(holder) })
  const run_at = at - team.clockOffset
  const later = db
    .selectFrom('jobs')
    .select('id')
    .where('team_id', '=', team.id)
    .where('unique_key', '=', jobKey(holder))
    .where('run_at', '>', run_at)
  // Skips a running job, whose row is locked. Before that job ends, it locks the holder's row and reads the new time.
  for (const { id } of await lockFreeRows(db, later).execute())
    await db.updateTable('jobs').set({ run_at }).where('team_id', '=', team.id).where('id', '=', id).execute()
}

/** Returns a holder's active subscriptions. */
export async function activeSubscriptions(scope: Scope, holder: string): Promise<SubscriptionRow[]> {
  return scope.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder)
    .where('status', '=', 'active')
    .orderBy('id')
    .execute()
}

export const findSubscription = (scope: Scope, id: string): Promise<SubscriptionRow | undefined> =>
  findRow(scope, 'subscriptions', id)

/** Changes a subscription and emits its event. */
export async function updateSubscription(
  scope: Scope,
  before: SubscriptionRow,
  change: Partial<SubscriptionRow>,
): Promise<SubscriptionRow> {
  const row = await scope.db
    .updateTable('subscriptions')
    .set({ ...change, updated_at: scope.now })
    .where('team_id', '=', scope.team.id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit(scope, 'subscription.update', showSubscriptionEvent(row), showSubscriptionEvent(before))
  return row
}

/** Changes a holder's row and emits its event. */
async function updateHolder(scope: Scope, before: Holder, change: { subscribed: string }): Promise<void> {
  if (kindOf(before.id) === 'entity') await updateEntity(scope, before as EntityRow, change)
  else await updateAccount(scope, before as AccountRow, change)
}

/**
 * Enrolls a holder. The holder's row must be locked. Enrolling again returns the active subscription. Throws the
 * request error if the holder cannot be enrolled.
 */
export async function enroll(
  scope: Scope,
  holder: Holder,
  { offer, subscription: wanted }: Enrolment,
  payload: Record<string, unknown> | null,
): Promise<SubscriptionRow> {
  const active = (await activeSubscriptions(scope, holder.id)).find(row => row.name === wanted.name)
  if (active) return active
  requireAvailable(subscriptionAvailability(scope, offer, wanted, holder))
  const next = wanted.feed.firstPoll(scope.now)
  const row: SubscriptionRow = {
    id: createId('subscription', scope.now),
    team_id: scope.team.id,
    holder_id: holder.id,
    name: wanted.name,
    status: 'active',
    payload: payload && subscriptionPayload.write(payload),
    latest_request_id: null,
    next_at: next,
    cursor: null,
    watched_from: scope.now,
    created_at: scope.now,
    updated_at: scope.now,
  }
  await scope.db.insertInto('subscriptions').values(row).execute()
  await emit(scope, 'subscription.create', showSubscriptionEvent(row))
  await updateHolder(scope, holder, { subscribed: JSON.stringify([...subscriptionNames(holder), wanted.name]) })
  await scheduleNoLaterThan(scope, holder.id, next)
  return row
}

/**
 * Ends a holder's subscription. The holder's row must be locked. Does nothing if the subscription has already ended.
 */
export async function unenroll(scope: Scope, holder: Holder, row: SubscriptionRow): Promise<SubscriptionRow> {
  if (row.status === 'inactive') return row
  const ended = await updateSubscription(scope, row, { status: 'inactive', next_at: null })
  const remaining = subscriptionNames(holder).filter(name => name !== row.name)
  await updateHolder(scope, holder, { subscribed: JSON.stringify(remaining) })
  return ended
}

/** Makes a subscription poll for changes now. The holder's row must be locked. */
export async function pollNow(scope: Scope, holder: string, name: string): Promise<void> {
  for (const row of await activeSubscriptions(scope, holder)) {
    if (row.name !== name) continue
    await scope.db
      .updateTable('subscriptions')
      .set({ next_at: scope.now })
      .where('team_id', '=', scope.team.id)
      .where('id', '=', row.id)
      .execute()
    await scheduleNoLaterThan(scope, holder, scope.now)
  }
}

/** Makes a subscription poll for changes now if it belongs to the team and is active. */
export async function pollSubscriptionNow(scope: Scope, id: string): Promise<void> {
  const row = await findSubscription(scope, id)
  if (!row) return
  await (kindOf(row.holder_id) === 'entity' ? lockEntity(scope, row.holder_id) : lockAccount(scope, row.holder_id))
  await pollNow(scope, row.holder_id, row.name)
}

/** Ends all of a holder's subscriptions and deletes their payloads. */
export async function endSubscriptions(scope: Scope, holder: string): Promise<void> {
  for (const row of await activeSubscriptions(scope, holder))
    await updateSubscription(scope, row, { status: 'inactive', next_at: null, cursor: null, payload: null })
}

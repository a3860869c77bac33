import { HOUR_MS } from '@causeway/contract/time'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import { asOf, type Scope } from '../../platform/scope.js'
import type { FeedChange, FeedPosition, Holder } from '../holders/product.js'
import { kindOf, subscriptionAvailability } from '../holders/product-rules.js'
import { findHolder, lockAccount, lockEntity } from '../holders/store.js'

import { activeSubscriptions, updateSubscription } from './store.js'
import { enrolmentOf, type SubscriptionRow, subscriptionPayload } from './subscription.js'

/** Returns a holder's subscriptions that poll for changes, sorted by due time, earliest first. */
async function pollingSubscriptions(scope: Scope, holder: string) {
  const rows = await activeSubscriptions(scope, holder)
  return rows
    .flatMap(row => (row.next_at === null ? [] : [{ ...row, next_at: row.next_at }]))
    .sort((one, other) => one.next_at - other.next_at)
}

/** Returns the time of the holder's next poll, if any. */
async function nextPoll(scope: Scope, holder: string): Promise<{ again: number } | undefined> {
  const [first] = await pollingSubscriptions(scope, holder)
  return first && { again: first.next_at }
}

/** Returns a subscription's feed, and whether its holder can currently use the subscription. */
function findFeed(scope: Scope, row: SubscriptionRow, holder: Holder) {
  const enrolment = enrolmentOf(scope.deps.offers, kindOf(holder.id), row.name)
  if (!enrolment) return undefined
  const { status } = subscriptionAvailability(scope, enrolment.offer, enrolment.subscription, holder)
  return { watch: enrolment.subscription.feed, isUsable: status === 'available' }
}

/** Stores each change with the time at which it happened. Stops if the subscription becomes unusable. */
async function storeChanges(scope: Scope, row: SubscriptionRow, changes: readonly FeedChange<Holder>[]): Promise<void> {
  for (const change of changes) {
    const scopeAtChange = asOf(scope, change.at)
    const subscription = (await activeSubscriptions(scopeAtChange, row.holder_id)).find(({ id }) => id === row.id)
    const holder = subscription && (await findHolder(scopeAtChange, row.holder_id))
    if (!holder || !findFeed(scopeAtChange, subscription, holder)?.isUsable) return
    const record = await change.store(scopeAtChange, holder, row.id)
    // A stored change may have ended the subscription, for example by closing the account.
    const stillActive =
      record && (await activeSubscriptions(scopeAtChange, row.holder_id)).find(({ id }) => id === row.id)
    if (stillActive) await updateSubscription(scopeAtChange, stillActive, { latest_request_id: record })
  }
}

/**
 * Polls for the changes that a holder's subscriptions report. Handles one subscription at a time, starting with the one
 * that was due first, so that events are emitted in the order in which the changes happened.
 */
export const runSubscriptions: JobHandler = {
  async run(scope, payload) {
    const id = payload['holder'] ?? ''
    const holder = await findHolder(scope, id)
    const [first, second] = await pollingSubscriptions(scope, id)
    const feed = holder && first && findFeed(scope, first, holder)
    if (!feed || first.next_at > scope.now) return async saving => nextPoll(saving, id)
    const until = Math.max(first.next_at, Math.min(scope.now, second?.next_at ?? scope.now))
    const position: FeedPosition = {
      subscription: first.id,
      payload: first.payload === null ? null : subscriptionPayload.read(first.payload),
      from: first.watched_from ?? first.created_at,
      cursor: first.cursor,
      due: first.next_at,
      until,
    }
    const polled = feed.isUsable ? await feed.watch.poll(scope, holder, position) : undefined
    return async saving => {
      await (kindOf(id) === 'entity' ? lockEntity(saving, id) : lockAccount(saving, id))
      const [current] = (await pollingSubscriptions(saving, id)).filter(row => row.id === first.id)
      // During the call, the subscription ended or its next poll was moved to an earlier time.
      if (current?.next_at !== first.next_at) return nextPoll(saving, id)
      if (polled) await storeChanges(saving, current, polled.changes)
      await saving.db
        .updateTable('subscriptions')
        .set(
          polled
            ? { cursor: polled.cursor, next_at: Math.max(polled.next, first.next_at + 1) }
            : { cursor: null, watched_from: saving.now, next_at: feed.watch.skip(saving.now) },
        )
        .where('team_id', '=', saving.team.id)
        .where('id', '=', first.id)
        .where('status', '=', 'active')
        .execute()
      return nextPoll(saving, id)
    }
  },
  /** Tries again in an hour, so that no change is lost. */
  async exhausted(scope) {
    return { again: scope.now + HOUR_MS }
  },
}

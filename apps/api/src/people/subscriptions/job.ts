import type { JobHandler } from '../../platform/jobs/jobs.js'
import { asOf, type Scope } from '../../platform/scope.js'
import { lockAccount } from '../accounts/store.js'
import { lockEntity } from '../entities/store.js'
import { holderOf } from '../products/holders.js'
import type { Found, Holder, Position } from '../products/product.js'
import { enrollable, kindOf } from '../products/rules.js'
import { activeSubscriptions, updateSubscription } from './store.js'
import { enrolmentOf, type SubscriptionRow, subscriptionPayload } from './subscription.js'

const HOUR = 3_600_000

/** Returns a holder's subscriptions that poll for changes, sorted by due time, earliest first. */
async function watching(scope: Scope, holder: string) {
  const rows = await activeSubscriptions(scope, holder)
  return rows
    .flatMap(row => (row.next_at === null ? [] : [{ ...row, next_at: row.next_at }]))
    .sort((one, other) => one.next_at - other.next_at)
}

/** Returns the time of the holder's next poll, if any. */
async function nextOf(scope: Scope, holder: string): Promise<{ again: number } | undefined> {
  const [first] = await watching(scope, holder)
  return first && { again: first.next_at }
}

/** Returns a subscription's feed, and whether its holder can currently use the subscription. */
function watchOf(scope: Scope, row: SubscriptionRow, holder: Holder) {
  const enrolment = enrolmentOf(scope.deps.offers, kindOf(holder.id), row.name)
  if (!enrolment) return undefined
  const { status } = enrollable(enrolment.offer, enrolment.wanted, scope.team, holder)
  return { watch: enrolment.wanted.watch, usable: status === 'available' }
}

/** Stores each change with the time at which it happened. Stops if the subscription becomes unusable. */
async function keepAll(scope: Scope, row: SubscriptionRow, found: readonly Found<Holder>[]): Promise<void> {
  for (const each of found) {
    const now = asOf(scope, each.at)
    const subscription = (await activeSubscriptions(now, row.holder_id)).find(({ id }) => id === row.id)
    const holder = subscription && (await holderOf(now, row.holder_id))
    if (!holder || !watchOf(now, subscription, holder)?.usable) return
    const record = await each.keep(now, holder, row.id)
    // A stored change may have ended the subscription, for example by closing the account.
    const left = record && (await activeSubscriptions(now, row.holder_id)).find(({ id }) => id === row.id)
    if (left) await updateSubscription(now, left, { latest_request_id: record })
  }
}

/**
 * Polls for the changes that a holder's subscriptions report. Handles one subscription at a time, starting with the one
 * that was due first, so that events are emitted in the order in which the changes happened.
 */
export const runSubscriptions: JobHandler = {
  async run(scope, payload) {
    const id = payload['holder'] ?? ''
    const holder = await holderOf(scope, id)
    const [first, second] = await watching(scope, id)
    const known = holder && first && watchOf(scope, first, holder)
    if (!known || first.next_at > scope.now) return async saving => nextOf(saving, id)
    const until = Math.max(first.next_at, Math.min(scope.now, second?.next_at ?? scope.now))
    const position: Position = {
      subscription: first.id,
      payload: first.payload === null ? null : subscriptionPayload.read(first.payload),
      from: first.watched_from ?? first.created_at,
      cursor: first.cursor,
      due: first.next_at,
      until,
    }
    const seen = known.usable ? await known.watch.look(scope, holder, position) : undefined
    return async saving => {
      await (kindOf(id) === 'entity' ? lockEntity(saving, id) : lockAccount(saving, id))
      const [now] = (await watching(saving, id)).filter(row => row.id === first.id)
      // During the call, the subscription ended or its next poll was moved to an earlier time.
      if (now?.next_at !== first.next_at) return nextOf(saving, id)
      if (seen) await keepAll(saving, now, seen.found)
      await saving.db
        .updateTable('subscriptions')
        .set(
          seen
            ? { cursor: seen.cursor, next_at: Math.max(seen.next, first.next_at + 1) }
            : { cursor: null, watched_from: saving.now, next_at: known.watch.skip(saving.now) },
        )
        .where('team_id', '=', saving.team.id)
        .where('id', '=', first.id)
        .where('status', '=', 'active')
        .execute()
      return nextOf(saving, id)
    }
  },
  /** Tries again in an hour, so that no change is lost. */
  async exhausted(scope) {
    return { again: scope.now + HOUR }
  },
}

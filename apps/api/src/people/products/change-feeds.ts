import type { FeedKind, NetworkChange } from '@causeway/connector/ports/feed'
import { createPortCall } from '../../network/ports.js'
import { createId } from '../../platform/crypto/random.js'
import { asOf, type Scope } from '../../platform/scope.js'
import type { AccountRow } from '../holders/account.js'
import {
  type ChangeFeed,
  type FeedChange,
  type FeedPosition,
  type Holder,
  type Outcome,
  type Product,
  type RecordRow,
  recordJson,
} from '../holders/product.js'
import { storeRecord } from '../records/store.js'
import { firstOfNextMonth, nextDay } from './schedule.js'

type Body = Record<string, unknown>

/** The maximum number of changes per poll, which limits the size of jobs and transactions when there is a backlog. */
const MAX_CHANGES_PER_POLL = 10

/** Calls a product's external service immediately, before the record exists. */
function fetchNow(
  scope: Scope,
  product: Product,
  holder: Holder,
  request: Body,
  subscription: string,
): Promise<Outcome> {
  const record: RecordRow = {
    id: createId(product.prefix, scope.now),
    team_id: scope.team.id,
    holder_id: holder.id,
    product: product.name,
    status: product.initialStatus,
    request: recordJson.request.write(request),
    data: null,
    error: null,
    subscription_id: subscription,
    change: null,
    created_at: scope.now,
    updated_at: scope.now,
  }
  return product.fetchData(scope, holder, record)
}

/** Returns a change and the function that stores the product's record of it. */
export function changeOf(
  product: Product,
  change: { id: string; at: number },
  request: Body,
  outcome: Outcome,
): FeedChange<Holder> {
  return {
    at: change.at,
    store: (scope, holder, subscription) =>
      storeRecord(scope, product, holder, { change: change.id, request, outcome, subscription }),
  }
}

/** Creates one record for the first of each month, including any months that were missed. */
export function monthlyFeed<H extends Holder>(
  product: () => Product,
  request: (payload: Body | null) => Body = () => ({}),
): ChangeFeed<H> {
  return {
    firstPoll: firstOfNextMonth,
    async poll(scope, holder, { due, payload, subscription }) {
      const body = request(payload)
      const outcome = await fetchNow(asOf(scope, due), product(), holder, body, subscription)
      const id = ['month', body['source'], new Date(due).toISOString().slice(0, 7)].filter(Boolean).join(' ')
      return {
        changes: [changeOf(product(), { id, at: due }, body, outcome)],
        cursor: null,
        next: firstOfNextMonth(due),
      }
    },
    skip: firstOfNextMonth,
  }
}

/** Returns a holder's changes since the last poll, as reported by the network. */
export async function pollChanges(
  scope: Scope,
  kind: FeedKind,
  of: string,
  { subscription, from, cursor, until }: FeedPosition,
): Promise<{ changes: NetworkChange[]; cursor: string | null; next: number }> {
  const answer = await scope.deps.ports.network.changes({
    ...createPortCall(scope, subscription),
    kind,
    of,
    from,
    since: cursor,
    until,
    limit: MAX_CHANGES_PER_POLL,
  })
  if (answer.status === 'failed') return { changes: [], cursor, next: nextDay(until) }
  return { ...answer, next: answer.next ?? nextDay(until) }
}

/** Creates one record for each change that an account's institution or network reports. */
export function changeFeed<T extends NetworkChange['type'] & FeedKind>(
  kind: T,
  read: (
    scope: Scope,
    account: AccountRow,
    change: Extract<NetworkChange, { type: T }>,
    position: FeedPosition,
  ) => FeedChange<AccountRow> | Promise<FeedChange<AccountRow>>,
): ChangeFeed<AccountRow> {
  return {
    firstPoll: at => at,
    async poll(scope, account, position) {
      const { changes, ...rest } = await pollChanges(scope, kind, account.reference ?? '', position)
      const feedChanges: FeedChange<AccountRow>[] = []
      for (const change of changes)
        if (change.type === kind)
          feedChanges.push(
            await read(asOf(scope, change.at), account, change as Extract<NetworkChange, { type: T }>, position),
          )
      return { ...rest, changes: feedChanges }
    },
    skip: nextDay,
  }
}

/** Requests a product's data in response to a change, and returns the record to store. */
export async function fetchChange(
  scope: Scope,
  product: Product,
  holder: Holder,
  change: NetworkChange,
  position: FeedPosition,
): Promise<FeedChange<Holder>> {
  return changeOf(product, change, {}, await fetchNow(scope, product, holder, {}, position.subscription))
}

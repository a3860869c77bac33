import type { Change, FeedKind } from '../../network/feed.js'
import { callAbout } from '../../network/ports.js'
import { createId } from '../../platform/crypto/random.js'
import { asOf, type Scope } from '../../platform/scope.js'
import type { AccountRow } from '../accounts/account.js'
import {
  type Found,
  type Holder,
  type Outcome,
  type Position,
  type Product,
  type RecordRow,
  recordJson,
  type Watch,
} from './product.js'
import { firstOfNextMonth, nextDay } from './schedule.js'
import { keepRecord } from './store.js'

type Body = Record<string, unknown>

/** The maximum number of changes per poll, which limits the size of jobs and transactions when there is a backlog. */
const HANDFUL = 10

/** Calls a product's external service immediately, before the record exists. */
function askNow(scope: Scope, product: Product, holder: Holder, request: Body, subscription: string): Promise<Outcome> {
  const record: RecordRow = {
    id: createId(product.prefix, scope.now),
    team_id: scope.team.id,
    holder_id: holder.id,
    product: product.name,
    status: product.first,
    request: recordJson.request.write(request),
    data: null,
    error: null,
    subscription_id: subscription,
    change: null,
    created_at: scope.now,
    updated_at: scope.now,
  }
  return product.ask(scope, holder, record)
}

/** Returns a change and the function that stores the product's record of it. */
export function recordOf(
  product: Product,
  change: { id: string; at: number },
  request: Body,
  outcome: Outcome,
): Found<Holder> {
  return {
    at: change.at,
    keep: (scope, holder, subscription) =>
      keepRecord(scope, product, holder, { change: change.id, request, outcome, subscription }),
  }
}

/** Creates one record for the first of each month, including any months that were missed. */
export function monthly<H extends Holder>(
  product: () => Product,
  request: (payload: Body | null) => Body = () => ({}),
): Watch<H> {
  return {
    first: firstOfNextMonth,
    async look(scope, holder, { due, payload, subscription }) {
      const asked = request(payload)
      const outcome = await askNow(asOf(scope, due), product(), holder, asked, subscription)
      const id = ['month', asked['source'], new Date(due).toISOString().slice(0, 7)].filter(Boolean).join(' ')
      return {
        found: [recordOf(product(), { id, at: due }, asked, outcome)],
        cursor: null,
        next: firstOfNextMonth(due),
      }
    },
    skip: firstOfNextMonth,
  }
}

/** Returns a holder's changes since the last poll, as reported by the network. */
export async function changesOf(
  scope: Scope,
  kind: FeedKind,
  of: string,
  { subscription, from, cursor, until }: Position,
): Promise<{ changes: Change[]; cursor: string | null; next: number }> {
  const told = await scope.deps.ports.network.changes({
    ...callAbout(scope, subscription),
    kind,
    of,
    from,
    since: cursor,
    until,
    limit: HANDFUL,
  })
  if (told.status === 'failed') return { changes: [], cursor, next: nextDay(until) }
  return { ...told, next: told.next ?? nextDay(until) }
}

/** Creates one record for each change that an account's institution or network reports. */
export function changing<T extends Change['type'] & FeedKind>(
  kind: T,
  read: (
    scope: Scope,
    account: AccountRow,
    change: Extract<Change, { type: T }>,
    position: Position,
  ) => Found<AccountRow> | Promise<Found<AccountRow>>,
): Watch<AccountRow> {
  return {
    first: at => at,
    async look(scope, account, position) {
      const { changes, ...rest } = await changesOf(scope, kind, account.reference ?? '', position)
      const found: Found<AccountRow>[] = []
      for (const change of changes)
        if (change.type === kind)
          found.push(await read(asOf(scope, change.at), account, change as Extract<Change, { type: T }>, position))
      return { ...rest, found }
    },
    skip: nextDay,
  }
}

/** Requests a product's data in response to a change, and returns the record to store. */
export async function askedFor(
  scope: Scope,
  product: Product,
  holder: Holder,
  change: Change,
  position: Position,
): Promise<Found<Holder>> {
  return recordOf(product, change, {}, await askNow(scope, product, holder, {}, position.subscription))
}

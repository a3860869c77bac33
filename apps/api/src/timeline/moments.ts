/** Reads each kind of moment in a timeline, newest first. */
import { prefixes } from '@causeway/contract/ids'
import type { moment } from '@causeway/contract/resources/timeline'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { readShownStep } from '../flow/progress/show-progress.js'
import { readFailedAttempt } from '../flow/session/events.js'
import { typeInVersion } from '../notify/events/show.js'
import { lowestId } from '../platform/crypto/random.js'
import { readJson } from '../platform/db/json.js'
import type { Tables } from '../platform/db/tables.js'
import type { Ctx } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import { hasEvent } from '../versions/chain.js'

export type Moment = z.infer<typeof moment>
export type Kind = Moment['kind']

/** The request for a page of a timeline. */
export interface MomentQuery {
  /** The ids of the resource and of the resources that belong to it. */
  readonly ids: readonly string[]
  /** The last moment on the previous page: its time, in epoch ms, and its id. */
  readonly at: number
  readonly id: string
  readonly limit: number
}

/** A position in a timeline: a moment's time, in epoch ms, and its id. */
export type Position = Pick<MomentQuery, 'at' | 'id'>

/**
 * Moments of one kind, newest first. `end` is the position at which reading stopped if there may be more moments;
 * otherwise, null.
 */
export interface MomentPage {
  readonly moments: readonly Moment[]
  readonly end: Position | null
}

/** Orders positions in a timeline: newest first, and the higher id first if the times are equal. */
export const compareNewestFirst = (one: Position, other: Position): number =>
  one.at === other.at ? (one.id < other.id ? 1 : one.id > other.id ? -1 : 0) : other.at - one.at

/**
 * Returns the moments for the first `limit` rows, and the position at which the rows end.
 * @param show returns null for a row that must not be shown
 */
function pageOf<Row>(
  rows: Row[],
  limit: number,
  positionOf: (row: Row) => Position,
  show: (row: Row) => Moment | null,
): MomentPage {
  const first = rows.toSorted((one, other) => compareNewestFirst(positionOf(one), positionOf(other))).slice(0, limit)
  return {
    moments: first.map(show).filter(each => each !== null),
    end: rows.length < limit ? null : positionOf(first.at(-1)!),
  }
}

/**
 * Matches moments after the last one on the previous page: those with an earlier time, or with the same time and a
 * lower id.
 */
const isAfter = (column: string, name: string, { at, id }: Position) =>
  sql<boolean>`(${sql.ref(column)} < ${at} or (${sql.ref(column)} = ${at} and ${sql.ref(name)} < ${id}))`

const noDetails = { status: null, actor: null, amount: null }

/** The number of ids that a single statement reads. */
const IDS_PER_STATEMENT = 50

/**
 * Reads the first rows for each id, using the index that begins with the id. With a single condition on all ids, the
 * engine would sort all of their rows.
 */
export async function readForEach<Row>(
  { db }: Ctx,
  ids: readonly string[],
  first: (id: string) => SelectQueryBuilder<Tables, never, Row>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let from = 0; from < ids.length; from += IDS_PER_STATEMENT) {
    const [one, ...others] = ids
      .slice(from, from + IDS_PER_STATEMENT)
      // SQLite rejects `order by` and `limit` directly within a part of a union.
      .map(id => db.selectFrom(first(id).as('part')).selectAll() as unknown as SelectQueryBuilder<Tables, never, Row>)
    rows.push(...((await others.reduce((all, other) => all.unionAll(other), one!).execute()) as Row[]))
  }
  return rows
}

async function readRequests(ctx: Ctx, { ids, at, id, limit }: MomentQuery): Promise<MomentPage> {
  const { db, team } = ctx
  const refs = await readForEach(ctx, ids, about =>
    db
      .selectFrom('request_refs')
      .select(['request_id', 'created_at'])
      .where('team_id', '=', team.id)
      .where('about', '=', about)
      .where('request_id', '<', lowestId('request', at + 1))
      .where(isAfter('created_at', 'request_id', { at, id }))
      .orderBy('request_id', 'desc')
      .limit(limit),
  )
  const positions = [...new Map(refs.map(row => [row.request_id, { at: row.created_at, id: row.request_id }])).values()]
  const newest = positions.sort(compareNewestFirst).slice(0, limit)
  const rows = await db
    .selectFrom('requests')
    .select(['id', 'method', 'route', 'status', 'actor', 'resource_ids', 'created_at'])
    .where('team_id', '=', team.id)
    .where('id', 'in', newest.map(each => each.id).concat(''))
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return pageOf(
    newest,
    limit,
    each => each,
    each => {
      const row = byId.get(each.id)
      // The sweep may have deleted the request since its reference was read.
      if (!row) return null
      return {
        at: showTime(row.created_at),
        kind: 'request',
        id: row.id,
        what: `${row.method} ${row.route}`,
        status: row.status,
        actor: row.actor,
        amount: null,
        refs: readJson('requests.resource_ids', row.resource_ids),
      }
    },
  )
}

const rowPosition = (row: { created_at: number; id: string }): Position => ({ at: row.created_at, id: row.id })

/** The maximum number of rows of each kind to read for a request. */
const MAX_ROWS_PER_REQUEST = 1_000
const isRequest = (id: string) => id.startsWith(prefixes.request)

/** @param page.id null includes all events at that time, regardless of their id */
const eventsOf = (ctx: Ctx, { ids, at, id, limit }: Omit<MomentQuery, 'id'> & { id: string | null }) =>
  readForEach(ctx, ids, about => {
    const rows = ctx.db
      .selectFrom('events')
      .select(['id', 'type', 'resource_id', 'created_at'])
      .where('team_id', '=', ctx.team.id)
      .$if(id !== null, query => query.where(isAfter('created_at', 'id', { at, id: id! })))
    // The index used to find a request's rows isn't sorted by id. A range or sort on ids could make the engine use
    // another index.
    if (isRequest(about)) return rows.where('request_id', '=', about).limit(MAX_ROWS_PER_REQUEST)
    return rows
      .where('resource_id', '=', about)
      .where('id', '<', lowestId('event', at + 1))
      .orderBy('id', 'desc')
      .limit(limit)
  })

async function readEvents(ctx: Ctx, page: MomentQuery): Promise<MomentPage> {
  return pageOf(await eventsOf(ctx, page), page.limit, rowPosition, row =>
    // Versions that predate an event type don't show its events.
    hasEvent(ctx.version, row.type)
      ? {
          ...noDetails,
          at: showTime(row.created_at),
          kind: 'event',
          id: row.id,
          what: typeInVersion(ctx.version, row.type),
          refs: [row.resource_id],
        }
      : null,
  )
}

/** A value that sorts after every id. */
const HIGHEST_ID = 'zz'
/** The minimum number of events whose deliveries are read. */
const MIN_EVENTS = 200

async function readDeliveries(ctx: Ctx, page: MomentQuery): Promise<MomentPage> {
  const { db, team } = ctx
  const limit = Math.max(MIN_EVENTS, page.limit)
  // An empty id means that the previous page already returned all deliveries at its end time.
  const at = page.id === '' ? page.at - 1 : page.at
  const newestEvents = (await eventsOf(ctx, { ...page, at, id: null, limit: limit }))
    .sort((one, other) => compareNewestFirst(rowPosition(one), rowPosition(other)))
    .slice(0, limit)
  const webhooks = await db.selectFrom('webhooks').select(['id', 'url']).where('team_id', '=', team.id).execute()
  const hosts = new Map(webhooks.map(({ id, url }) => [id, new URL(url).host]))
  // The index for finding an event's deliveries begins with the webhook. A single query without the webhook would read
  // every delivery.
  const rowsByWebhook = await Promise.all(
    webhooks.map(webhook =>
      db
        .selectFrom('deliveries')
        .select(['id', 'webhook_id', 'event_id', 'event_at', 'status', 'finished_at'])
        .where('team_id', '=', team.id)
        .where('webhook_id', '=', webhook.id)
        .where('event_id', 'in', newestEvents.map(row => row.id).concat(''))
        .where(isAfter('event_at', 'id', page))
        .execute(),
    ),
  )
  const types = new Map(newestEvents.map(row => [row.id, row.type]))
  const deliveryPage = pageOf(
    rowsByWebhook.flat(),
    page.limit,
    row => ({ at: row.event_at, id: row.id }),
    row => ({
      ...noDetails,
      at: showTime(row.event_at),
      kind: 'delivery',
      id: row.id,
      what: typeInVersion(ctx.version, types.get(row.event_id)!),
      status: row.status,
      refs: [row.event_id, row.webhook_id],
      host: hosts.get(row.webhook_id)!,
      finished_at: row.finished_at === null ? null : showTime(row.finished_at),
    }),
  )
  if (deliveryPage.end !== null || newestEvents.length < limit) return deliveryPage
  // More events may have the same time as the last one.
  const { created_at: oldest } = newestEvents.at(-1)!
  return { ...deliveryPage, end: { at: oldest, id: oldest < at ? HIGHEST_ID : '' } }
}

async function readPostings(ctx: Ctx, { ids, at, id, limit }: MomentQuery): Promise<MomentPage> {
  const rows = await readForEach(ctx, ids, payment =>
    ctx.db
      .selectFrom('ledger')
      .select(['payment_id', 'leg', 'account', 'amount', 'created_at'])
      .where('team_id', '=', ctx.team.id)
      .where('payment_id', '=', payment)
      .where(sql<boolean>`(created_at < ${at} or (created_at = ${at} and payment_id || '.' || leg < ${id}))`)
      .orderBy('created_at', 'desc')
      .orderBy('leg', 'desc')
      .limit(limit),
  )
  const idOf = (row: (typeof rows)[number]) => `${row.payment_id}.${row.leg}`
  return pageOf(
    rows,
    limit,
    row => ({ at: row.created_at, id: idOf(row) }),
    row => ({
      ...noDetails,
      at: showTime(row.created_at),
      kind: 'posting',
      id: idOf(row),
      what: row.leg.split('.')[0]!,
      amount: row.amount,
      refs: [row.payment_id, row.account],
    }),
  )
}

async function readPersonMoments(ctx: Ctx, { ids, at, id, limit }: MomentQuery): Promise<MomentPage> {
  const rows = await readForEach(ctx, ids, session =>
    ctx.db
      .selectFrom('session_events')
      .select(['id', 'session_id', 'type', 'data', 'created_at'])
      .where('team_id', '=', ctx.team.id)
      .where('session_id', '=', session)
      .where('id', '<', lowestId('event', at + 1))
      .where(isAfter('created_at', 'id', { at, id }))
      .orderBy('id', 'desc')
      .limit(limit),
  )
  return pageOf(rows, limit, rowPosition, row => {
    const failed = readFailedAttempt(row)
    return {
      ...noDetails,
      at: showTime(row.created_at),
      kind: 'person',
      id: row.id,
      what: row.type,
      status: readShownStep(row) ?? failed?.step ?? null,
      refs: [row.session_id, failed?.account ?? []].flat(),
    }
  })
}

async function readStaffMoments(ctx: Ctx, { ids, at, id, limit }: MomentQuery): Promise<MomentPage> {
  const rows = await readForEach(ctx, ids, about => {
    const entries = ctx.db
      .selectFrom('audit')
      .select(['id', 'actor', 'action', 'resource_id', 'created_at'])
      .where('team_id', '=', ctx.team.id)
      .where(isAfter('created_at', 'id', { at, id }))
    if (isRequest(about)) return entries.where('request_id', '=', about).limit(MAX_ROWS_PER_REQUEST)
    return (
      entries
        .where('resource_id', '=', about)
        // The index supports this condition but not the previous one.
        .where('created_at', '<=', at)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
    )
  })
  return pageOf(rows, limit, rowPosition, row => ({
    ...noDetails,
    at: showTime(row.created_at),
    kind: 'staff',
    id: row.id,
    what: row.action,
    actor: row.actor,
    refs: row.resource_id === null ? [] : [row.resource_id],
  }))
}

export const readers: Readonly<Record<Kind, (ctx: Ctx, page: MomentQuery) => Promise<MomentPage>>> = {
  request: readRequests,
  event: readEvents,
  delivery: readDeliveries,
  posting: readPostings,
  person: readPersonMoments,
  staff: readStaffMoments,
}

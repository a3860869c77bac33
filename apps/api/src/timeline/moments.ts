/** Reads of each kind of moment, newest first. */
import type { moment } from '@causeway/contract/resources/timeline'
import { sql } from 'kysely'
import type { z } from 'zod'
import { typeAt } from '../notify/events/show.js'
import { lowestId } from '../platform/crypto/random.js'
import { readJson } from '../platform/db/json.js'
import type { Ctx } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import { hasEvent } from '../versions/chain.js'

export type Moment = z.infer<typeof moment>
export type Kind = Moment['kind']

/** The request for a page of a timeline. */
export interface Asked {
  /** Ids of the resource and of what belongs to it. */
  readonly ids: readonly string[]
  /** The last moment of the previous page: its time, epoch ms, and its id. */
  readonly at: number
  readonly id: string
  readonly limit: number
}

/** Moments that come after the last one of the previous page: they have an earlier time, or the same and a lower id. */
const follows = (column: string, name: string, { at, id }: Pick<Asked, 'at' | 'id'>) =>
  sql<boolean>`(${sql.ref(column)} < ${at} or (${sql.ref(column)} = ${at} and ${sql.ref(name)} < ${id}))`

const bare = { status: null, actor: null, amount: null }

async function requests({ db, team }: Ctx, { ids, at, id, limit }: Asked): Promise<Moment[]> {
  const refs = db
    .selectFrom('request_refs')
    .select('request_id')
    .distinct()
    .where('team_id', '=', team.id)
    .where('about', 'in', ids)
    .where('request_id', '<', lowestId('request', at + 1))
    .where(follows('created_at', 'request_id', { at, id }))
    .orderBy('request_id', 'desc')
    .limit(limit)
  const rows = await db
    .selectFrom('requests')
    .select(['id', 'method', 'route', 'status', 'actor', 'resource_ids', 'created_at'])
    .where('team_id', '=', team.id)
    .where('id', 'in', (await refs.execute()).map(row => row.request_id).concat(''))
    .execute()
  return rows.map(row => ({
    at: showTime(row.created_at),
    kind: 'request',
    id: row.id,
    what: `${row.method} ${row.route}`,
    status: row.status,
    actor: row.actor,
    amount: null,
    refs: readJson(row.resource_ids),
  }))
}

/** @param asked.id null: with all events of the time */
const eventsOf = ({ db, team }: Ctx, { ids, at, id, limit }: Omit<Asked, 'id'> & { id: string | null }) =>
  db
    .selectFrom('events')
    .select(['id', 'type', 'resource_id', 'created_at'])
    .where('team_id', '=', team.id)
    .where('resource_id', 'in', ids)
    .where('id', '<', lowestId('event', at + 1))
    .$if(id !== null, query => query.where(follows('created_at', 'id', { at, id: id! })))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

async function events(ctx: Ctx, asked: Asked): Promise<Moment[]> {
  const rows = await eventsOf(ctx, asked)
  return rows
    .filter(row => hasEvent(ctx.version, row.type))
    .map(row => ({
      ...bare,
      at: showTime(row.created_at),
      kind: 'event',
      id: row.id,
      what: typeAt(ctx.version, row.type),
      refs: [row.resource_id],
    }))
}

async function deliveries(ctx: Ctx, asked: Asked): Promise<Moment[]> {
  const { db, team } = ctx
  const told = await eventsOf(ctx, { ...asked, id: null, limit: asked.limit * 4 })
  // By the index of webhooks and events: a team has few webhooks.
  const rows = await db
    .selectFrom('deliveries')
    .select(['id', 'webhook_id', 'event_id', 'event_at', 'status'])
    .where('team_id', '=', team.id)
    .where('webhook_id', 'in', query => query.selectFrom('webhooks').select('id').where('team_id', '=', team.id))
    .where('event_id', 'in', told.map(row => row.id).concat(''))
    .where(follows('event_at', 'id', asked))
    .orderBy('event_at', 'desc')
    .orderBy('id', 'desc')
    .limit(asked.limit)
    .execute()
  const types = new Map(told.map(row => [row.id, row.type]))
  return rows.map(row => ({
    ...bare,
    at: showTime(row.event_at),
    kind: 'delivery',
    id: row.id,
    what: typeAt(ctx.version, types.get(row.event_id)!),
    status: row.status,
    refs: [row.event_id, row.webhook_id],
  }))
}

async function postings({ db, team }: Ctx, { ids, at, id, limit }: Asked): Promise<Moment[]> {
  const rows = await db
    .selectFrom('ledger')
    .select(['payment_id', 'leg', 'account', 'amount', 'created_at'])
    .where('team_id', '=', team.id)
    .where('payment_id', 'in', ids)
    .where(sql<boolean>`(created_at < ${at} or (created_at = ${at} and payment_id || '.' || leg < ${id}))`)
    .orderBy('created_at', 'desc')
    .orderBy('payment_id', 'desc')
    .orderBy('leg', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    ...bare,
    at: showTime(row.created_at),
    kind: 'posting',
    id: `${row.payment_id}.${row.leg}`,
    what: row.leg.split('.')[0]!,
    amount: row.amount,
    refs: [row.payment_id, row.account],
  }))
}

async function person({ db, team }: Ctx, { ids, at, id, limit }: Asked): Promise<Moment[]> {
  const rows = await db
    .selectFrom('session_events')
    .select(['id', 'session_id', 'type', 'created_at'])
    .where('team_id', '=', team.id)
    .where('session_id', 'in', ids)
    .where(follows('created_at', 'id', { at, id }))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    ...bare,
    at: showTime(row.created_at),
    kind: 'person',
    id: row.id,
    what: row.type,
    refs: [row.session_id],
  }))
}

async function staff({ db, team }: Ctx, { ids, at, id, limit }: Asked): Promise<Moment[]> {
  const rows = await db
    .selectFrom('audit')
    .select(['id', 'actor', 'action', 'resource_id', 'created_at'])
    .where('team_id', '=', team.id)
    .where('resource_id', 'in', ids)
    .where(follows('created_at', 'id', { at, id }))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    ...bare,
    at: showTime(row.created_at),
    kind: 'staff',
    id: row.id,
    what: row.action,
    actor: row.actor,
    refs: row.resource_id === null ? [] : [row.resource_id],
  }))
}

export const readers: Readonly<Record<Kind, (ctx: Ctx, asked: Asked) => Promise<Moment[]>>> = {
  request: requests,
  event: events,
  delivery: deliveries,
  posting: postings,
  person,
  staff,
}

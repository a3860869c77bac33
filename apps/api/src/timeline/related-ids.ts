import { prefixes } from '@causeway/contract/ids'
import { findSession } from '../flow/session/store.js'
import { findPayment } from '../money/payments/store.js'
import { findAccount, findEntity } from '../people/holders/store.js'

import { offers } from '../people/products/registry.js'
import type { Ctx } from '../platform/scope.js'
import { readForEach } from './moments.js'

/** For each kind of resource, the maximum number whose moments also appear in their owner's timeline. */
const MAX_RELATED_IDS = 50

const isA = (kind: keyof typeof prefixes, id: string) => id.startsWith(prefixes[kind])

/** Returns the ids of the resource and of everything that belongs to it, or null if the team has no such resource. */
export async function findRelatedIds(ctx: Ctx, id: string): Promise<string[] | null> {
  const related = isA('entity', id)
    ? relatedToEntity
    : isA('account', id)
      ? relatedToAccount
      : isA('payment', id)
        ? relatedToPayment
        : null
  if (related) return related(ctx, id)
  if (isA('opal_session', id)) return relatedToSession(ctx, id)
  return [id]
}

/** Finds payments with this value in one of the columns, using each column's index. */
async function findPaymentIds(
  { db, team }: Ctx,
  columns: readonly ('source' | 'destination' | 'source_holder_id' | 'destination_holder_id')[],
  value: string,
): Promise<string[]> {
  const rowsByColumn = await Promise.all(
    columns.map(column =>
      db
        .selectFrom('payments')
        .select('id')
        .where('team_id', '=', team.id)
        .where(column, '=', value)
        .orderBy('id', 'desc')
        .limit(MAX_RELATED_IDS)
        .execute(),
    ),
  )
  return rowsByColumn.flat().map(row => row.id)
}

const productNames = offers.map(({ name }) => name)

/**
 * Finds a holder's latest records. Reads each product's records separately, because their index begins with the
 * product.
 */
const findRecordIds = (ctx: Ctx, holder: string) =>
  readForEach(ctx, productNames, product =>
    ctx.db
      .selectFrom('records')
      .select('id')
      .where('team_id', '=', ctx.team.id)
      .where('holder_id', '=', holder)
      .where('product', '=', product)
      .orderBy('id', 'desc')
      .limit(MAX_RELATED_IDS),
  ).then(rows => rows.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, MAX_RELATED_IDS))

async function relatedToEntity(ctx: Ctx, id: string): Promise<string[] | null> {
  if (!(await findEntity(ctx, id))) return null
  const { db, team } = ctx
  const [accounts, sessions] = await Promise.all([
    db
      .selectFrom('accounts')
      .select('id')
      .where('team_id', '=', team.id)
      .where('holder_id', '=', id)
      .where('awaits_consent', 'is', null)
      .orderBy('id', 'desc')
      .limit(MAX_RELATED_IDS)
      .execute(),
    db
      .selectFrom('sessions')
      .select('id')
      .where('team_id', '=', team.id)
      .where('entity_id', '=', id)
      .orderBy('id', 'desc')
      .limit(MAX_RELATED_IDS)
      .execute(),
  ])
  const others = [...accounts, ...sessions, ...(await findRecordIds(ctx, id))].map(row => row.id)
  return [id, ...others, ...new Set(await findPaymentIds(ctx, ['source_holder_id', 'destination_holder_id'], id))]
}

async function relatedToAccount(ctx: Ctx, id: string): Promise<string[] | null> {
  if (!(await findAccount(ctx, id))) return null
  const recordIds = (await findRecordIds(ctx, id)).map(row => row.id)
  return [id, ...recordIds, ...new Set(await findPaymentIds(ctx, ['source', 'destination'], id))]
}

async function relatedToPayment(ctx: Ctx, id: string): Promise<string[] | null> {
  const row = await findPayment(ctx, id)
  return row ? [id, ...(row.reversal_id === null ? [] : [row.reversal_id])] : null
}

async function relatedToSession(ctx: Ctx, id: string): Promise<string[] | null> {
  if (!(await findSession(ctx, id))) return null
  const payments = await ctx.db
    .selectFrom('payments')
    .select('id')
    .where('team_id', '=', ctx.team.id)
    .where('session_id', '=', id)
    .limit(MAX_RELATED_IDS)
    .execute()
  return [id, ...payments.map(each => each.id)]
}

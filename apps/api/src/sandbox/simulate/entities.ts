import { simulations } from '@causeway/contract/endpoints/simulate'
import { ServiceError } from '@causeway/contract/errors'
import type { EventType } from '@causeway/contract/events'
import type { z } from 'zod'
import { emit } from '../../notify/emit.js'
import { requireAgreed } from '../../people/holders/consent-rules.js'
import type { Body, EntityProduct, Outcome, RecordRow } from '../../people/holders/product.js'
import { productOf, subscriptionNames } from '../../people/holders/product-rules.js'
import { showAccount } from '../../people/holders/show-account.js'
import { findAccount, findEntity, lockEntity } from '../../people/holders/store.js'

import { creditScore } from '../../people/products/credit-score/product.js'
import { showRecord, showRecordEvent } from '../../people/records/show-record.js'
import { completedRecord, fillRecord, findAnyRecord, findLatestIds, findRecord } from '../../people/records/store.js'
import { pollNow } from '../../people/subscriptions/store.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { type Answer, gone, one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import { openBehaviours, queueBehaviours } from '../behaviors/store.js'
import { oneScore } from '../products/credit-score.js'

/** The maximum number of simulated events that can wait for an entity's next connect request. */
const MAX_BEHAVIOURS = 5

async function queueEvents(
  ctx: Ctx,
  id: string,
  kind: 'connect' | 'attribute',
  names: readonly string[],
): Promise<Answer> {
  const entity = orNotFound(await lockEntity(ctx, id))
  const reason = ctx.deps.capabilities.missing('simulation', kind)
  if (reason !== null) throw new ServiceError('INVALID_REQUEST', reason)
  const pendingCount = kind === 'connect' ? (await openBehaviours(ctx, entity.id, kind)).length : 0
  if (pendingCount + names.length > MAX_BEHAVIOURS)
    throw new ServiceError(
      'INVALID_REQUEST',
      `The entity has ${pendingCount} pending behaviors. The limit is ${MAX_BEHAVIOURS}.`,
    )
  await queueBehaviours(ctx, entity.id, kind, names)
  if (kind === 'connect') await pollNow(ctx, entity.id, 'connect')
  return gone
}

/**
 * Returns the latest record of an entity's product and the completed record before it, in the format that events use.
 * Throws if the product was never requested, or if the person did not agree to share it.
 */
async function latestRecords(ctx: Ctx, entity: string, name: string): Promise<{ record: Body; previous: Body | null }> {
  const id = (await findLatestIds(ctx, [entity])).get(entity)?.[name]
  const row = id === undefined ? undefined : await findAnyRecord(ctx, id)
  const product = row && productOf(ctx.deps.offers, row)
  if (!product) throw new ServiceError('SIMULATION_RESTRICTED_MISSING_PRODUCT_REQUEST')
  const holder = orNotFound(await findEntity(ctx, entity))
  // mutant: simulated-events-keep-to-the-consent (remove)
  requireAgreed(holder, name)
  const before = await completedRecord(ctx, entity, name, row.id)
  const show = (each: RecordRow) => showRecordEvent(ctx, product, each, holder)
  return { record: show(row), previous: before ? show(before) : null }
}

/** Returns an entity's latest account. Throws if the entity has no accounts. */
async function latestAccount(ctx: Ctx, entity: string): Promise<string> {
  const row = await ctx.db
    .selectFrom('accounts')
    .select('id')
    .where('team_id', '=', ctx.team.id)
    .where('holder_id', '=', entity)
    .where('type', '=', 'liability')
    .where('withdrawn_at', 'is', null)
    .where('awaits_consent', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw new ServiceError('INVALID_REQUEST', 'The entity has no account that can be reported as opened.')
  return row.id
}

async function accountOf(ctx: Ctx, id: string | undefined): Promise<Body> {
  const row = orNotFound(await findAccount(ctx, id ?? ''))
  return showAccount(ctx, row, (await findLatestIds(ctx, [row.id])).get(row.id) ?? {})
}

/** Emits an event as if its cause had occurred. Has no other effect. */
async function emitAsIf(
  ctx: Ctx,
  { type, entity_id, account_id }: z.output<typeof simulations.simulateEvent.body>,
): Promise<void> {
  if (type === 'account.closed') {
    const account = await accountOf(ctx, account_id)
    const closed = { ...account, status: 'closed' }
    await emit(ctx, 'account.update', closed, account)
    return emit(ctx, 'account.closed', closed, account)
  }
  const entity = orNotFound(await findEntity(ctx, entity_id ?? ''))
  if (type === 'account.opened') {
    const { record: connect } = await latestRecords(ctx, entity.id, 'connect')
    const [id = await latestAccount(ctx, entity.id)] = (connect['accounts'] as string[] | null) ?? []
    const account = await accountOf(ctx, id)
    await emit(ctx, 'connect.create', connect)
    return emit(ctx, 'account.opened', account)
  }
  const name = type.startsWith('credit_score') ? 'credit_score' : 'attribute'
  if (name === 'credit_score' && !subscriptionNames(entity).includes(name))
    throw new ServiceError(
      'SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION',
      `The entity has no active subscription to credit_score. Enroll it with POST /entities/${entity.id}/subscriptions first.`,
    )
  const { record, previous } = await latestRecords(ctx, entity.id, name)
  const eventType = type.startsWith('attribute.')
    ? `entity_${type.replace(/^(attribute\.credit_health_\w+)\.(\w+)$/, '$1_value.$2')}`
    : type
  await emit(ctx, eventType as EventType, record, previous)
}

export const simulateEntityRoutes: Route[] = [
  ...[simulations.simulateConnect, simulations.simulateConnectAgain].map(endpoint =>
    implement(endpoint, {
      handle: (ctx, { params, body }) => queueEvents(ctx, params.ent_id, 'connect', body.behaviors),
    }),
  ),
  ...[simulations.simulateEntityAttributes, simulations.simulateEntityAttributesAgain].map(endpoint =>
    implement(endpoint, {
      handle: (ctx, { params, body }) => queueEvents(ctx, params.ent_id, 'attribute', body.behaviors),
    }),
  ),
  implement(simulations.simulateCreditScore, {
    async handle(ctx, { params, body: { scores, score, status } }) {
      const entity = orNotFound(await findEntity(ctx, params.ent_id))
      const row = orNotFound(await findRecord(ctx, creditScore.name, params.crs_id, entity.id))
      // mutant: simulated-score-keeps-to-the-consent (remove)
      requireAgreed(entity, creditScore.name)
      const product: EntityProduct = creditScore
      const outcome: Outcome =
        status === 'failed'
          ? { status, code: 23001 }
          : { status: 'completed', data: { scores: scores ?? [oneScore(score!, ctx.now)] } }
      const filled = await fillRecord(ctx, product, entity, row, outcome)
      if (!filled)
        throw new ServiceError('INVALID_STATUS', `The credit score must be pending, but it is ${row.status}.`)
      return one(showRecord(ctx, product, filled, entity))
    },
  }),
  implement(simulations.simulateEvent, {
    async handle(ctx, { body }) {
      await emitAsIf(ctx, body)
      return gone
    },
  }),
]

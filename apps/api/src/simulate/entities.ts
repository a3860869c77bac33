import { ServiceError } from '@causeway/contract/errors'
import { type EventType, webhookTypes } from '@causeway/contract/events'
import { score } from '@causeway/contract/resources/entity-products'
import { z } from 'zod'
import { showAccount } from '../accounts/show.js'
import { openBehaviours, queueBehaviours } from '../behaviours/store.js'
import { lockEntity } from '../entities/store.js'
import { emit } from '../events/store.js'
import { parse } from '../http/body.js'
import { type Answer, gone, one, type Route } from '../http/route.js'
import { creditScore } from '../products/credit-score.js'
import { accountById, entityById } from '../products/holders.js'
import type { Body, EntityProduct, RecordRow } from '../products/product.js'
import { productOf, subscribed } from '../products/rules.js'
import {
  completedRecord,
  findRecord,
  pointers,
  recordById,
  settleRecord,
  showRecord,
  tellRecord,
} from '../products/store.js'
import type { Ctx } from '../scope.js'
import { hasten } from '../subscriptions/store.js'

/** So many wait for an entity's next connect. */
const MAX_BEHAVIOURS = 5

const accounts = z.enum([
  'new_credit_card_account',
  'new_auto_loan_account',
  'new_mortgage_account',
  'new_student_loan_account',
  'new_personal_loan_account',
])
const connectInput = z.object({ behaviors: z.array(accounts).min(1).max(MAX_BEHAVIOURS) })
const attributeInput = z.object({ behaviors: z.array(z.literal('new_soft_inquiry')).min(1).max(MAX_BEHAVIOURS) })
const scoreInput = z.object({ scores: z.array(score).min(1).max(10) })

const eventTypes = [
  'account.opened',
  'account.closed',
  'credit_score.increased',
  'credit_score.decreased',
] as const satisfies readonly EventType[]
/** Those of one attribute that moved, by either of their names. */
const isOfAttribute = (type: string) => /^(entity_)?attribute\.\w+\.\w+$/.test(type) && webhookTypes.has(type)
const eventInput = z.object({
  type: z
    .string()
    .refine(
      type => (eventTypes as readonly string[]).includes(type) || isOfAttribute(type),
      `type must be one of: ${eventTypes.join(', ')}, or of an attribute that moved, such as entity_attribute.credit_health_credit_age_value.increased.`,
    ),
  entity_id: z.string().optional(),
  account_id: z.string().optional(),
})

async function queue(
  ctx: Ctx,
  kind: 'connect' | 'attribute',
  input: z.ZodType<{ behaviors: readonly string[] }>,
): Promise<Answer> {
  const entity = await lockEntity(ctx, ctx.params['ent_id'] ?? '')
  if (!entity) throw new ServiceError('NOT_FOUND')
  const { behaviors: names } = parse(input, ctx.body())
  const open = kind === 'connect' ? (await openBehaviours(ctx, entity.id, kind)).length : 0
  if (open + names.length > MAX_BEHAVIOURS)
    throw new ServiceError('INVALID_REQUEST', `At most ${MAX_BEHAVIOURS} behaviors wait for an entity; ${open} do.`)
  await queueBehaviours(ctx, entity.id, kind, names)
  if (kind === 'connect') await hasten(ctx, entity.id, 'connect')
  return gone
}

/** The newest record of an entity's product, and the completed one before it, as events tell them. Throws where the product was never asked for. */
async function newest(ctx: Ctx, entity: string, name: string): Promise<{ record: Body; previous: Body | null }> {
  const id = (await pointers(ctx, [entity])).get(entity)?.[name]
  const row = id === undefined ? undefined : await recordById(ctx, id)
  const product = row && productOf(ctx.deps.offers, row)
  if (!product) throw new ServiceError('SIMULATION_RESTRICTED_MISSING_PRODUCT_REQUEST')
  const holder = await entityById(ctx, entity)
  const before = await completedRecord(ctx, entity, name, row.id)
  const told = (each: RecordRow) => tellRecord(ctx, product, each, holder)
  return { record: told(row), previous: before ? told(before) : null }
}

/** The account of an entity that was found or named last. Throws where it has none. */
async function newestAccount(ctx: Ctx, entity: string): Promise<string> {
  const row = await ctx.db
    .selectFrom('accounts')
    .select('id')
    .where('holder_id', '=', entity)
    .where('type', '=', 'liability')
    .where('withdrawn_at', 'is', null)
    .where('awaits_consent', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw new ServiceError('INVALID_REQUEST', 'The entity has no account that could have been opened.')
  return row.id
}

async function accountOf(ctx: Ctx, id: string | undefined): Promise<Body> {
  const row = await accountById(ctx, id)
  return showAccount(ctx, row, (await pointers(ctx, [row.id])).get(row.id) ?? {})
}

/** Tells of something as if it had happened. Nothing changes. */
async function pretend(ctx: Ctx, { type, entity_id, account_id }: z.infer<typeof eventInput>): Promise<void> {
  if (type === 'account.closed') {
    const account = await accountOf(ctx, account_id)
    const closed = { ...account, status: 'closed' }
    await emit(ctx, 'account.update', closed, account)
    return emit(ctx, 'account.closed', closed, account)
  }
  const entity = await entityById(ctx, entity_id)
  if (type === 'account.opened') {
    const { record: connect } = await newest(ctx, entity.id, 'connect')
    const [found = await newestAccount(ctx, entity.id)] = (connect['accounts'] as string[] | null) ?? []
    const account = await accountOf(ctx, found)
    await emit(ctx, 'connect.create', connect)
    return emit(ctx, 'account.opened', account)
  }
  const name = type.startsWith('credit_score') ? 'credit_score' : 'attribute'
  if (name === 'credit_score' && !subscribed(entity).includes(name))
    throw new ServiceError('SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION')
  const { record, previous } = await newest(ctx, entity.id, name)
  const told = type.startsWith('attribute.')
    ? `entity_${type.replace(/^(attribute\.credit_health_\w+)\.(\w+)$/, '$1_value.$2')}`
    : type
  await emit(ctx, told as EventType, record, previous)
}

const both = (path: string, handle: Route['handle']): Route[] =>
  // Client libraries append the entity's id once more.
  [path, `${path}/:again`].map(each => ({ method: 'POST', path: each, sandbox: true, handle }))

export const simulateEntityRoutes: Route[] = [
  ...both('/simulate/entities/:ent_id/connect', ctx => queue(ctx, 'connect', connectInput)),
  ...both('/simulate/entities/:ent_id/attributes', ctx => queue(ctx, 'attribute', attributeInput)),
  {
    method: 'POST',
    path: '/simulate/entities/:ent_id/credit_scores/:crs_id',
    sandbox: true,
    async handle(ctx) {
      const entity = await entityById(ctx, ctx.params['ent_id'])
      const row = await findRecord(ctx, creditScore.name, ctx.params['crs_id'] ?? '', entity.id)
      if (!row) throw new ServiceError('NOT_FOUND')
      const { scores } = parse(scoreInput, ctx.body())
      const product: EntityProduct = creditScore
      const done = await settleRecord(ctx, product, entity, row, { status: 'completed', data: { scores } })
      if (!done) throw new ServiceError('INVALID_STATUS', `The credit score is ${row.status}, not pending.`)
      return one(showRecord(ctx, product, done, entity))
    },
  },
  {
    method: 'POST',
    path: '/simulate/events',
    sandbox: true,
    async handle(ctx) {
      await pretend(ctx, parse(eventInput, ctx.body()))
      return gone
    },
  },
]

import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { one, type Route } from '../http/route.js'
import { bases, holderOfPath, lockHolderOfPath, mannerOf } from '../products/holders.js'
import type { Product } from '../products/product.js'
import { offersOf } from '../products/rules.js'
import type { Ctx } from '../scope.js'
import { oldName } from '../versions/2025-07-04.js'
import { behaves } from '../versions/chain.js'
import { activeSubscriptions, enroll, findSubscription, showSubscription, unenroll } from './store.js'
import { enrolmentOf, type SubscriptionRow } from './subscription.js'

const input = z.object({ enroll: z.string().min(1).max(100), payload: z.unknown().optional() })

async function owned(ctx: Ctx, holder: string): Promise<SubscriptionRow> {
  const row = await findSubscription(ctx, ctx.params['sub_id'] ?? '')
  if (row?.holder_id !== holder) throw new ServiceError('NOT_FOUND')
  return row
}

/** What a name means: of the two kinds of instruments that had one, the card's. */
const nameOf = (ctx: Ctx, name: string): string =>
  name === 'payment_instrument' && behaves(ctx.version, 'one_instrument') ? 'payment_instrument.card' : name

function names(ctx: Ctx, kind: Product['holder']): string {
  return offersOf(ctx.deps.offers, kind)
    .flatMap(offer => offer.subscriptions.map(each => each.name))
    .join(', ')
}

const routesOf = (kind: Product['holder']): Route[] => [
  {
    method: 'POST',
    path: `${bases[kind]}/subscriptions`,
    async handle(ctx) {
      const holder = await lockHolderOfPath(ctx, kind)
      const given = parse(input, ctx.body())
      const enrolment = enrolmentOf(ctx.deps.offers, kind, nameOf(ctx, given.enroll))
      if (!enrolment) throw new ServiceError('INVALID_REQUEST', `enroll must be one of: ${names(ctx, kind)}.`)
      if (given.payload != null && !enrolment.wanted.payload)
        throw new ServiceError('INVALID_REQUEST', `payload is not taken for ${given.enroll}.`)
      const payload = enrolment.wanted.payload?.(given.payload ?? null, mannerOf(ctx)) ?? null
      return one(showSubscription(await enroll(ctx, holder, enrolment, payload)))
    },
  },
  {
    method: 'GET',
    path: `${bases[kind]}/subscriptions`,
    async handle(ctx) {
      const holder = await holderOfPath(ctx, kind)
      const rows = await activeSubscriptions(ctx, holder.id)
      const keyOf = (name: string) => (behaves(ctx.version, 'one_instrument') ? oldName(name) : name)
      return { shape: 'list', body: Object.fromEntries(rows.map(row => [keyOf(row.name), showSubscription(row)])) }
    },
  },
  {
    method: 'GET',
    path: `${bases[kind]}/subscriptions/:sub_id`,
    async handle(ctx) {
      const holder = await holderOfPath(ctx, kind)
      return one(showSubscription(await owned(ctx, holder.id)))
    },
  },
  {
    method: 'DELETE',
    path: `${bases[kind]}/subscriptions/:sub_id`,
    async handle(ctx) {
      const holder = await lockHolderOfPath(ctx, kind)
      return one(showSubscription(await unenroll(ctx, holder, await owned(ctx, holder.id))))
    },
  },
]

export const subscriptionRoutes: Route[] = [...routesOf('entity'), ...routesOf('account')]

import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { one, type Route } from '../http/route.js'
import { bases, holderOfPath, lockHolderOfPath, mannerOf } from '../products/holders.js'
import { isWatchedIn } from '../products/object-routes.js'
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

/** The name of a subscription in the version. */
const nameIn = (ctx: Ctx, name: string): string => (behaves(ctx.version, 'one_instrument') ? oldName(name) : name)

/** What can be enrolled in the version: its name there, and the name that it is kept by. Of two with one name, the first. */
function namesIn(ctx: Ctx, kind: Product['holder']): Map<string, string> {
  const names = new Map<string, string>()
  for (const { name } of offersOf(ctx.deps.offers, kind).flatMap(offer => offer.subscriptions)) {
    if (!isWatchedIn(ctx, kind, name)) continue
    const shown = nameIn(ctx, name)
    if (!names.has(shown)) names.set(shown, name)
  }
  return names
}

const routesOf = (kind: Product['holder']): Route[] => [
  {
    method: 'POST',
    path: `${bases[kind]}/subscriptions`,
    async handle(ctx) {
      const holder = await lockHolderOfPath(ctx, kind)
      const given = parse(input, ctx.body())
      const names = namesIn(ctx, kind)
      const enrolment = enrolmentOf(ctx.deps.offers, kind, names.get(given.enroll) ?? '')
      if (!enrolment)
        throw new ServiceError('INVALID_REQUEST', `enroll must be one of: ${[...names.keys()].join(', ')}.`)
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
      const rows = new Map((await activeSubscriptions(ctx, holder.id)).map(row => [row.name, row]))
      // Where the name of a version stands for several, it shows the one that enrolling by it would answer.
      const known = [...namesIn(ctx, kind)].flatMap(([name, kept]) => {
        const found = [...rows.values()].find(row => nameIn(ctx, row.name) === name)
        const row = rows.get(kept) ?? found
        return row ? [[name, showSubscription(row)]] : []
      })
      return { shape: 'list', body: Object.fromEntries(known) }
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

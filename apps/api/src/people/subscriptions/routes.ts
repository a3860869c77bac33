import type { enrollment } from '@causeway/contract/endpoints/holders'
import { ServiceError } from '@causeway/contract/errors'
import { declared } from '../../platform/http/endpoint/declaration.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import { nameAt } from '../../versions/chain.js'
import type { Product } from '../holders/product.js'
import { offersOf } from '../holders/product-rules.js'
import { bases, findHolderOfPath, lockHolderOfPath } from '../holders/store.js'
import { activeSubscriptions, enroll, findSubscription, showSubscription, unenroll } from './store.js'
import { enrolmentOf, type SubscriptionRow } from './subscription.js'

async function findSubscriptionOrThrow(ctx: Ctx, id: string, holder: string): Promise<SubscriptionRow> {
  const row = await findSubscription(ctx, id)
  if (row?.holder_id !== holder) throw new ServiceError('NOT_FOUND')
  return row
}

/**
 * Maps the names of the version's subscriptions to the stored names. If several stored names share a name in the
 * version, keeps the first.
 */
function storedNames(ctx: Ctx, kind: Product['holder']): Map<string, string> {
  const names = new Map<string, string>()
  for (const { name } of offersOf(ctx.deps.offers, kind).flatMap(offer => offer.subscriptions)) {
    const shown = nameAt(ctx.version, 'subscription', name, kind)
    if (shown !== null && !names.has(shown)) names.set(shown, name)
  }
  return names
}

type Path = `${(typeof bases)[Product['holder']]}/subscriptions`

const routesOf = (kind: Product['holder']): Route[] => [
  implement(declared<typeof enrollment, Path>('POST', `${bases[kind]}/subscriptions`), {
    async handle(ctx, { params, body: input }) {
      const holder = await lockHolderOfPath(ctx, kind, params)
      const names = storedNames(ctx, kind)
      const enrolment = enrolmentOf(ctx.deps.offers, kind, names.get(input.enroll) ?? '')
      if (!enrolment)
        throw new ServiceError('INVALID_REQUEST', `enroll must be one of: ${[...names.keys()].join(', ')}.`)
      if (input.payload != null && !enrolment.subscription.payload)
        throw new ServiceError('INVALID_REQUEST', `payload must be omitted for ${input.enroll}.`)
      const payload = enrolment.subscription.payload?.(input.payload ?? null, 'named' in input) ?? null
      return one(showSubscription(await enroll(ctx, holder, enrolment, payload)))
    },
  }),
  implement(declared('GET', `${bases[kind]}/subscriptions`), {
    async handle(ctx, { params }) {
      const holder = await findHolderOfPath(ctx, kind, params)
      const rows = new Map((await activeSubscriptions(ctx, holder.id)).map(row => [row.name, row]))
      // If a name in the version covers several subscriptions, shows the one that enrolling under that name creates.
      const bodies = [...storedNames(ctx, kind)].flatMap(([name, storedName]) => {
        const sameName = [...rows.values()].find(row => nameAt(ctx.version, 'subscription', row.name, kind) === name)
        const row = rows.get(storedName) ?? sameName
        return row ? [[name, showSubscription(row)]] : []
      })
      return { shape: 'list', body: Object.fromEntries(bodies) }
    },
  }),
  implement(declared('GET', `${bases[kind]}/subscriptions/:sub_id`), {
    async handle(ctx, { params }) {
      const holder = await findHolderOfPath(ctx, kind, params)
      return one(showSubscription(await findSubscriptionOrThrow(ctx, params.sub_id, holder.id)))
    },
  }),
  implement(declared('DELETE', `${bases[kind]}/subscriptions/:sub_id`), {
    async handle(ctx, { params }) {
      const holder = await lockHolderOfPath(ctx, kind, params)
      return one(
        showSubscription(await unenroll(ctx, holder, await findSubscriptionOrThrow(ctx, params.sub_id, holder.id))),
      )
    },
  }),
]

export const subscriptionRoutes: Route[] = [...routesOf('entity'), ...routesOf('account')]

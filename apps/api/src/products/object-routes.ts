import { ServiceError } from '@causeway/contract/errors'
import { one, type Route } from '../http/route.js'
import type { Ctx } from '../scope.js'
import { oldName } from '../versions/2025-07-04.js'
import { behaves } from '../versions/chain.js'
import { bases, holderOfPath } from './holders.js'
import { productId, requestsOf, showProduct } from './objects.js'
import type { Body, Product } from './product.js'
import { offersOf } from './rules.js'

/** The name of a product in the version. */
const nameIn = (ctx: Ctx, name: string): string => (behaves(ctx.version, 'one_instrument') ? oldName(name) : name)

/** Whether the version knows of enrolling such a holder in a product that can be enrolled. */
export const isWatchedIn = (ctx: Ctx, kind: Product['holder'], name: string): boolean =>
  !(kind === 'account' && name === 'attribute' && behaves(ctx.version, 'named_attributes'))

/** The id is shown where the version has it; elsewhere a product is known by its name. */
function shown(ctx: Ctx, kind: Product['holder'], { id, ...body }: Body): Record<string, unknown> {
  const is_subscribable = body['is_subscribable'] === true && isWatchedIn(ctx, kind, String(body['name']))
  return { ...(behaves(ctx.version, 'product_ids') ? { id } : {}), ...body, is_subscribable }
}

/** Products by name; of several that the version gives one name, the most usable. */
function byName(ctx: Ctx, kind: Product['holder'], bodies: Body[]): Record<string, unknown> {
  const out = new Map<string, Record<string, unknown>>()
  const order = ['unavailable', 'restricted', 'available']
  const together = behaves(ctx.version, 'one_instrument')
  for (const body of bodies) {
    if (together && body['name'] === 'payment_instrument.inbound_achwire_payment') continue
    const name = nameIn(ctx, String(body['name']))
    const known = out.get(name)
    if (!known || order.indexOf(String(body['status'])) > order.indexOf(String(known['status'])))
      out.set(name, shown(ctx, kind, { ...body, name }))
  }
  return Object.fromEntries(out)
}

const routesOf = (kind: Product['holder']): Route[] => [
  {
    method: 'GET',
    path: `${bases[kind]}/products`,
    async handle(ctx) {
      const holder = await holderOfPath(ctx, kind)
      const requests = await requestsOf(ctx, holder.id)
      const bodies = offersOf(ctx.deps.offers, kind).map(offer => showProduct(ctx, offer, holder, requests(offer.name)))
      return { shape: 'list', body: byName(ctx, kind, bodies) }
    },
  },
  {
    method: 'GET',
    path: `${bases[kind]}/products/:prd_id`,
    async handle(ctx) {
      const holder = await holderOfPath(ctx, kind)
      const offer = offersOf(ctx.deps.offers, kind).find(each => productId(holder, each) === ctx.params['prd_id'])
      if (!offer) throw new ServiceError('NOT_FOUND')
      const requests = await requestsOf(ctx, holder.id)
      return one(
        shown(ctx, kind, { ...showProduct(ctx, offer, holder, requests(offer.name)), name: nameIn(ctx, offer.name) }),
      )
    },
  },
]

export const productObjectRoutes: Route[] = [...routesOf('entity'), ...routesOf('account')]

import { ServiceError } from '@causeway/contract/errors'
import { declared } from '../../platform/http/declaration.js'
import { implement } from '../../platform/http/implement.js'
import { one, type Route } from '../../platform/http/route.js'
import type { Ctx } from '../../platform/scope.js'
import { oldName } from '../../versions/2025-07-04.js'
import { behaves } from '../../versions/chain.js'
import { bases, holderOfPath } from './holders.js'
import { isWatchedIn, requestsOf, showProduct } from './objects.js'
import type { Body, Product } from './product.js'
import { offersOf } from './rules.js'

/** The name of a product in the version. */
const nameIn = (ctx: Ctx, name: string): string => (behaves(ctx.version, 'one_instrument') ? oldName(name) : name)

function shown(ctx: Ctx, kind: Product['holder'], body: Body): Record<string, unknown> {
  return { ...body, is_subscribable: body['is_subscribable'] === true && isWatchedIn(ctx, kind, String(body['name'])) }
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
  implement(declared('GET', `${bases[kind]}/products`), {
    async handle(ctx) {
      const holder = await holderOfPath(ctx, kind)
      const requests = await requestsOf(ctx, holder.id)
      const bodies = offersOf(ctx.deps.offers, kind).map(offer => showProduct(ctx, offer, holder, requests(offer.name)))
      return { shape: 'list', body: byName(ctx, kind, bodies) }
    },
  }),
  implement(declared('GET', `${bases[kind]}/products/:prd_id`), {
    async handle(ctx) {
      const holder = await holderOfPath(ctx, kind)
      const wanted = ctx.params['prd_id'] ?? ''
      const requests = await requestsOf(ctx, holder.id)
      const bodies = offersOf(ctx.deps.offers, kind).map(offer => showProduct(ctx, offer, holder, requests(offer.name)))
      const named = byName(ctx, kind, bodies)
      if (Object.hasOwn(named, wanted)) return one(named[wanted])
      const body = bodies.find(each => each.id === wanted)
      if (!body) throw new ServiceError('NOT_FOUND')
      return one(shown(ctx, kind, { ...body, name: nameIn(ctx, String(body['name'])) }))
    },
  }),
]

export const productObjectRoutes: Route[] = [...routesOf('entity'), ...routesOf('account')]

import { ServiceError } from '@causeway/contract/errors'
import { declared } from '../../platform/http/endpoint/declaration.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import { nameAt } from '../../versions/chain.js'
import { bases, holderOfPath } from './holders.js'
import { requestsOf, showProduct } from './objects.js'
import type { Body, Holder, Product, SomeOffer } from './product.js'
import { offersOf } from './rules.js'

interface Shown {
  offer: SomeOffer
  body: Body
}

/** Returns a holder's products for the request's version, with product names not yet converted. */
async function productsOf(ctx: Ctx, kind: Product['holder'], holder: Holder): Promise<Shown[]> {
  const requests = await requestsOf(ctx, holder.id)
  return offersOf(ctx.deps.offers, kind).map(offer => {
    const is_subscribable = offer.subscriptions.some(
      ({ name }) => nameAt(ctx.version, 'subscription', name, kind) !== null,
    )
    return { offer, body: { ...showProduct(ctx, offer, holder, requests(offer.name)), is_subscribable } }
  })
}

const order = ['unavailable', 'restricted', 'available']

/**
 * Keys products by their names in the request's version. If several products share a name, keeps the one with the best
 * availability.
 */
function byName(ctx: Ctx, kind: Product['holder'], products: Shown[]): Record<string, Body> {
  const out = new Map<string, Body>()
  for (const { offer, body } of products) {
    const name = nameAt(ctx.version, 'product', offer.name, kind)
    if (name === null) continue
    const known = out.get(name)
    if (!known || order.indexOf(String(body['status'])) > order.indexOf(String(known['status']))) out.set(name, body)
  }
  return Object.fromEntries(out)
}

const routesOf = (kind: Product['holder']): Route[] => [
  implement(declared('GET', `${bases[kind]}/products`), {
    async handle(ctx, { params }) {
      const products = await productsOf(ctx, kind, await holderOfPath(ctx, kind, params))
      return { shape: 'list', body: byName(ctx, kind, products) }
    },
  }),
  implement(declared('GET', `${bases[kind]}/products/:prd_id`), {
    async handle(ctx, { params }) {
      const products = await productsOf(ctx, kind, await holderOfPath(ctx, kind, params))
      const named = byName(ctx, kind, products)
      if (Object.hasOwn(named, params.prd_id)) return one(named[params.prd_id])
      const found = products.find(({ body }) => body.id === params.prd_id)
      if (!found) throw new ServiceError('NOT_FOUND')
      return one(found.body)
    },
  }),
]

export const productObjectRoutes: Route[] = [...routesOf('entity'), ...routesOf('account')]

import { ServiceError } from '@causeway/contract/errors'
import { declared } from '../../platform/http/endpoint/declaration.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import { nameAt } from '../../versions/chain.js'
import type { Body, Holder, Product, SomeOffer } from '../holders/product.js'
import { offersOf } from '../holders/product-rules.js'
import { bases, findHolderOfPath } from '../holders/store.js'
import { loadRecordIds, showProduct } from '../records/product-objects.js'

interface ShownProduct {
  offer: SomeOffer
  body: Body
}

/** Returns a holder's products for the request's version, with product names not yet converted. */
async function showProducts(ctx: Ctx, kind: Product['holder'], holder: Holder): Promise<ShownProduct[]> {
  const requests = await loadRecordIds(ctx, holder.id)
  return offersOf(ctx.deps.offers, kind).map(offer => {
    const is_subscribable = offer.subscriptions.some(
      ({ name }) => nameAt(ctx.version, 'subscription', name, kind) !== null,
    )
    return { offer, body: { ...showProduct(ctx, offer, holder, requests(offer.name)), is_subscribable } }
  })
}

const availabilityOrder = ['unavailable', 'restricted', 'available']

/**
 * Keys products by their names in the request's version. If several products share a name, keeps the one with the best
 * availability.
 */
function byName(ctx: Ctx, kind: Product['holder'], products: ShownProduct[]): Record<string, Body> {
  const byVersionName = new Map<string, Body>()
  for (const { offer, body } of products) {
    const name = nameAt(ctx.version, 'product', offer.name, kind)
    if (name === null) continue
    const previous = byVersionName.get(name)
    if (
      !previous ||
      availabilityOrder.indexOf(String(body['status'])) > availabilityOrder.indexOf(String(previous['status']))
    )
      byVersionName.set(name, body)
  }
  return Object.fromEntries(byVersionName)
}

const routesOf = (kind: Product['holder']): Route[] => [
  implement(declared('GET', `${bases[kind]}/products`), {
    async handle(ctx, { params }) {
      const products = await showProducts(ctx, kind, await findHolderOfPath(ctx, kind, params))
      return { shape: 'list', body: byName(ctx, kind, products) }
    },
  }),
  implement(declared('GET', `${bases[kind]}/products/:prd_id`), {
    async handle(ctx, { params }) {
      const products = await showProducts(ctx, kind, await findHolderOfPath(ctx, kind, params))
      const bodies = byName(ctx, kind, products)
      if (Object.hasOwn(bodies, params.prd_id)) return one(bodies[params.prd_id])
      const product = products.find(({ body }) => body.id === params.prd_id)
      if (!product) throw new ServiceError('NOT_FOUND')
      return one(product.body)
    },
  }),
]

export const productObjectRoutes: Route[] = [...routesOf('entity'), ...routesOf('account')]

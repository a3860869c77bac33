import { ServiceError } from '@causeway/contract/errors'
import { one, type Route } from '../http/route.js'

/** Card products are the network's, the same for every team. Some client libraries ask by the singular. */
export const cardProductRoutes: Route[] = ['/card_products/:pdt_id', '/card_product/:pdt_id'].map(path => ({
  method: 'GET',
  path,
  async handle({ deps, params }) {
    const product = deps.ports.network.cardProducts().find(each => each.id === params['pdt_id'])
    if (!product) throw new ServiceError('NOT_FOUND')
    const { id, name, issuer, type, created_at, updated_at } = product
    const brands = product.brands.map(({ image, details: _, ...brand }) => ({ ...brand, default_image: image }))
    return one({ id, name, issuer, type, brands, error: null, created_at, updated_at })
  },
}))

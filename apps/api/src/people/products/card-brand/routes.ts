import { ServiceError } from '@causeway/contract/errors'
import { cardProducts } from '@causeway/contract/products/card-brand'
import { implement } from '../../../platform/http/endpoint/implement.js'
import { one, type Route } from '../../../platform/http/endpoint/route.js'

/** Card products come from the network and are the same for every team. */
export const cardProductRoutes: Route[] = Object.values(cardProducts).map(endpoint =>
  implement(endpoint, {
    async handle({ deps }, { params }) {
      const product = deps.ports.network.cardProducts().find(each => each.id === params.pdt_id)
      if (!product) throw new ServiceError('NOT_FOUND')
      const { id, name, issuer, type, created_at, updated_at } = product
      const brands = product.brands.map(({ image, details: _, ...brand }) => ({ ...brand, default_image: image }))
      return one({ id, name, issuer, type, brands, error: null, created_at, updated_at })
    },
  }),
)

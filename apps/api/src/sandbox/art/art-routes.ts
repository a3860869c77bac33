import { endpoints } from '@causeway/contract/endpoints/service'
import { ServiceError } from '@causeway/contract/errors'
import { implement } from '../../platform/http/endpoint/implement.js'
import type { Answer, Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import { drawCard, drawLogo } from './draw.js'

/** Any page may embed a drawing, but scripts in the drawing never run. */
const headers = {
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': "default-src 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
}
const art = (body: string): Answer => ({ shape: 'raw', body, type: 'image/svg+xml', headers })

/** Returns the id in a file name. Throws NOT_FOUND outside the sandbox, and for any file type other than SVG. */
function idOf({ deps }: Ctx, file: string): string {
  const id = /^(\w{1,64})\.svg$/.exec(file)?.[1]
  if (id === undefined || deps.environment !== 'sandbox') throw new ServiceError('NOT_FOUND')
  return id
}

export const artRoutes: Route[] = [
  implement(endpoints.retrieveMerchantLogo, {
    async handle(ctx, { params }) {
      const [merchant] = ctx.deps.ports.network.merchants([idOf(ctx, params.file)])
      if (!merchant) throw new ServiceError('NOT_FOUND')
      return art(drawLogo(merchant.parent_name))
    },
  }),
  implement(endpoints.retrieveCardArt, {
    async handle(ctx, { params }) {
      const id = idOf(ctx, params.file)
      const product = ctx.deps.ports.network.cardProducts().find(each => each.brands.some(brand => brand.id === id))
      if (!product) throw new ServiceError('NOT_FOUND')
      return art(drawCard(product.issuer, id))
    },
  }),
]

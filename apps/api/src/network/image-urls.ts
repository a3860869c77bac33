import type { Network } from '@causeway/connector/ports/network'

/** Makes the URLs of a network's images absolute. Images whose URLs are only paths are served by the API itself. */
export function resolveImageUrls(network: Network, origin: string): Network {
  const resolve = (address: string) => new URL(address, origin).href
  return {
    ...network,
    merchants: ids => network.merchants(ids).map(merchant => ({ ...merchant, logo: resolve(merchant.logo) })),
    cardProducts: () =>
      network.cardProducts().map(product => ({
        ...product,
        brands: product.brands.map(brand => ({ ...brand, image: resolve(brand.image) })),
      })),
  }
}

import type { Network } from './port.js'

/** A network whose pictures have absolute addresses: one that is only a path is served by the API itself. */
export function withArt(network: Network, origin: string): Network {
  const at = (address: string) => new URL(address, origin).href
  return {
    ...network,
    merchants: ids => network.merchants(ids).map(merchant => ({ ...merchant, logo: at(merchant.logo) })),
    cardProducts: () =>
      network.cardProducts().map(product => ({
        ...product,
        brands: product.brands.map(brand => ({ ...brand, image: at(brand.image) })),
      })),
  }
}

import type { Network } from './port.js'

/** Makes the addresses of a network's pictures absolute. The API itself serves an address that is only a path. */
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

import type { Step } from './step.js'

type Brand = Record<string, unknown>

/** Returns the id of a brand's art, such as `art_15_1` for `pdt_15_brd_1`. */
const artOf = (brand: unknown) => `art_${String(brand).replace(/^pdt_/, '').replace('_brd_', '_')}`

/**
 * The next version removed the id from product objects, which are identified by name, and moved a card's properties to
 * its brands.
 */
export const downTo202404: Step = {
  version: '2024-04-04',
  olderFields: { card_brand: ['last4', 'network', 'issuer'], product: ['id'] },
  down: {
    card_brand({ brands, ...body }) {
      const list = (brands as Brand[] | undefined) ?? []
      return {
        ...body,
        brands: list.map(({ id, name, url }) => ({ id, art_id: artOf(id), name, url })),
      }
    },
  },
  notes: [
    {
      resource: 'CardBrand',
      in: 'answer',
      says: 'Each brand has its own `card_product_id`, `description`, `issuer`, `network`, `network_tier` and `type`. Previously, `network` and `issuer` were at the same level as `brands`, and a brand was `{ id, art_id, name, url }`.',
    },
  ],
}
